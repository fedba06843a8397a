package import Essentials
package import Hummingbird
import NIOCore
package import Serving

/// What answers need to know of a request.
protocol VisitorContext: PageContext {
    var visitor: Visitor { get }
}

/// What is known about one request.
package struct AppContext: VisitorContext {
    package var coreContext: CoreRequestContextStorage
    /// The other end of the connection: a proxy, or the client itself.
    package let peer: ClientAddress
    private var known: Visitor?
    /// Who sends the request, once somebody has looked.
    var visitor: Visitor {
        get { known ?? .unknown }
        set { known = newValue }
    }
    /// The session this browser is signed in with, and whose it is.
    var record: SessionRecord? { signedIn?.record }
    var session: Session? { record?.session }
    /// Whether the browser brought the cookie of a session that opens nothing any more.
    var hasDeadSession = false
    package var announcement: Announcement?
    /// Behind a reference, as contexts are copied at every step.
    var signedIn: SignedIn?
    var submitted: SubmittedForm?

    /// A resumed session.
    final class SignedIn: Sendable {
        let record: SessionRecord

        init(record: SessionRecord) {
            self.record = record
        }
    }

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = ClientAddress(peerAt: source.channel.remoteAddress)
    }

    package var locale: String { visitor.locale }
}

/// A form sent by somebody who is signed in.
final class SubmittedForm: Sendable {
    let form: Form
    /// Whether it carries the token of the session. A page from before the last sign-in carries the
    /// token of the session then.
    let isCurrent: Bool
    /// Whether it waited for a proof, and passwords that were typed into it were not kept.
    let lacksSecrets: Bool

    init(_ form: Form, isCurrent: Bool, lacksSecrets: Bool = false) {
        self.form = form
        self.isCurrent = isCurrent
        self.lacksSecrets = lacksSecrets
    }

    /// Throws `Refusals` unless it carries the token of the session.
    func checked() throws(Refusals) -> Form {
        guard isCurrent else { throw Refusals([.formStale]) }
        return form
    }
}
