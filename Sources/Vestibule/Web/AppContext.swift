package import Hummingbird
import NIOCore

/// What is known about one request on its way through the house.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let remote: SocketAddress?
    package var visitor: Visitor
    /// The session this browser is signed in with.
    package var session: SessionRecord?
    package var sessionToken: Token?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remote = source.channel.remoteAddress
        visitor = .unknown
    }

    /// The other end of the connection: a proxy, or the client itself.
    package var peer: ClientAddress { remote.flatMap(ClientAddress.init) ?? .loopback }
}
