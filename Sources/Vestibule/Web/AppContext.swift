package import Hummingbird

/// What is known about one request on its way through the house.
package struct AppContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The other end of the connection: a proxy, or the client itself.
    package let peer: ClientAddress
    package var visitor: Visitor
    /// The session this browser is signed in with.
    package var session: SessionRecord?
    package var sessionToken: Token?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress.flatMap(ClientAddress.init) ?? .loopback
        visitor = Visitor(client: peer, userAgent: "", locale: "en", requestID: "")
    }
}
