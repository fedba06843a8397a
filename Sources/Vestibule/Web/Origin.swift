import Foundation

/// A web origin: scheme, host and port (RFC 6454), spelled as browsers send it.
package struct Origin: Sendable, Hashable, CustomStringConvertible {
    package let text: String
    package let isSecure: Bool

    /// An http or https origin without path, query or user; a trailing slash is forgiven.
    package init?(_ text: String) {
        let bare = String(text.before("/") ?? text[...])
        guard let components = URLComponents(string: bare), components.path.isEmpty, components.query == nil,
            components.fragment == nil
        else { return nil }
        self.init(components)
    }

    /// The origin of a whole http or https URL.
    package init?(ofURL text: String) {
        let harmless = text.unicodeScalars.allSatisfy {
            $0.isASCII && $0.value > 0x20 && $0.value != 0x7f && !["\\", "\"", "<", ">"].contains($0)
        }
        guard harmless, let components = URLComponents(string: text) else { return nil }
        self.init(components)
    }

    private init?(_ components: URLComponents) {
        guard let scheme = components.scheme?.asciiLowercased, scheme == "http" || scheme == "https",
            components.user == nil, components.password == nil,
            let host = components.host?.asciiLowercased, !host.isEmpty,
            let ascii = host.utf8.allSatisfy({ $0 < 0x80 }) ? host : DomainName.ascii(host),
            components.port.map((0...65_535).contains) ?? true
        else { return nil }
        isSecure = scheme == "https"
        let standardPort = isSecure ? 443 : 80
        let port = components.port.flatMap { $0 == standardPort ? nil : ":\($0)" } ?? ""
        text = "\(scheme)://\(ascii)\(port)"
    }

    package var description: String { text }
}
