package import Essentials
package import Hummingbird
import NIOCore

/// What is known about one request on its way through the house.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let remote: SocketAddress?
    private var known: Visitor?
    /// Who sends the request, once somebody has looked.
    package var visitor: Visitor {
        get { known ?? .unknown }
        set { known = newValue }
    }
    /// The session this browser is signed in with.
    package var session: SessionRecord? { signedIn?.record }
    package var sessionToken: Token? { signedIn?.token }
    /// Whether the browser brought the cookie of a session that opens nothing any more.
    var hasDeadSession = false
    /// What the page before has left to say.
    var flash: Flash? { arrived?.flash }
    /// Behind references, as contexts are copied at every step.
    var signedIn: SignedIn?
    var arrived: Arrived?

    /// A resumed session and the token that opened it.
    final class SignedIn: Sendable {
        let record: SessionRecord
        let token: Token

        init(record: SessionRecord, token: Token) {
            self.record = record
            self.token = token
        }
    }

    /// A flash, and what it says in the visitor's language.
    final class Arrived: Sendable {
        let flash: Flash
        let sentence: String

        init(flash: Flash, sentence: String) {
            self.flash = flash
            self.sentence = sentence
        }
    }

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remote = source.channel.remoteAddress
    }

    /// The other end of the connection: a proxy, or the client itself.
    package var peer: IPAddress { IPAddress(peerAt: remote) }
}
