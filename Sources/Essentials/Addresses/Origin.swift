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

    /// Without scheme and port; IPv6 in brackets.
    package var host: String {
        Self.host(ofAuthority: String(text.utf8.dropFirst(isSecure ? 8 : 7)) ?? "")
    }

    /// `Host` without its port, in lower case; looked at byte by byte.
    package static func host(ofAuthority authority: String) -> String {
        let bytes = authority.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
        // The colons of IPv6 stand before the bracket.
        let name = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
        let end = bytes[name...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
