package import Essentials
package import HTTPTypes

/// The hosts that this server answers for (RFC 9110 section 7.4). Under any other name that leads
/// here, such as one that a site has pointed at a visitor's network (DNS rebinding), a page would
/// be of that name's origin.
package struct KnownHosts: Sendable {
    private let names: Set<String>
    private let takesLoopback: Bool

    /// Ports do not matter: a proxy or a container may have others. With `takesLoopback` this
    /// machine's own names are known, too.
    package init(_ origins: [Origin], takesLoopback: Bool) {
        names = Set(origins.map(\.host))
        self.takesLoopback = takesLoopback
    }

    func contains(authority: String) -> Bool {
        let host = Origin.host(ofAuthority: authority)
        // Characters: a name beyond ASCII equals none of the names of this site.
        return names.contains(host) || takesLoopback && Self.isLoopback(host)
    }

    package func areAsked(by request: HTTPRequest) -> Bool {
        request.authority.map(contains(authority:)) ?? false
    }

    private static func isLoopback(_ host: String) -> Bool {
        let address = host.after("[")?.before("]") ?? host[...]
        return host.isExactly("localhost") || IPAddress(address)?.isLoopback == true
    }
}
