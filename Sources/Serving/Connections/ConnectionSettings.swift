/// What holds for every connection.
package struct ConnectionSettings: Sendable {
    /// On every answer, those to broken requests too.
    package let headers: SecurityHeaders
    let proxies: ClientAddressFinder
    let loopbackOnly: LoopbackOnly
    /// Connections that one client may have open.
    let perClient: Int

    package init(
        headers: SecurityHeaders, proxies: ClientAddressFinder, loopbackOnly: LoopbackOnly, perClient: Int
    ) {
        (self.headers, self.proxies, self.loopbackOnly) = (headers, proxies, loopbackOnly)
        self.perClient = perClient
    }
}
