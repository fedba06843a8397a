/// What holds for every connection.
package struct ConnectionSettings: Sendable {
    /// On every answer, those to broken requests too.
    let headers: SecurityHeaders
    let proxies: ClientAddressFinder
    let loopbackOnly: LoopbackOnly
    /// Connections that one client may have open.
    let perClient: Int
    /// How long a client may take for a head, and again for the rest of its request.
    let patience: Duration
    package static let patience: Duration = .seconds(30)

    package init(
        headers: SecurityHeaders, proxies: ClientAddressFinder, loopbackOnly: LoopbackOnly, perClient: Int,
        patience: Duration
    ) {
        (self.headers, self.proxies, self.loopbackOnly) = (headers, proxies, loopbackOnly)
        (self.perClient, self.patience) = (perClient, patience)
    }
}
