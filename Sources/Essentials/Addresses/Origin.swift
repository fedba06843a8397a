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

    /// The origin that a proxy names by scheme and authority: `https` and `Example.com:443` are
    /// `https://example.com`. Returns nil unless the authority is a plain ASCII host and perhaps a
    /// port.
    package init?(scheme: some StringProtocol, authority: some StringProtocol) {
        guard let isSecure = Self.isSecure(scheme: scheme) else { return nil }
        let hasCapitals = authority.utf8.contains { $0 != $0.asciiLowercased }
        let authority = hasCapitals ? authority.asciiLowercased : String(authority)
        let isPlain = authority.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-.[]:".utf8.contains($0) }
        guard isPlain, Authority.isValid(authority.utf8) else { return nil }
        self.isSecure = isSecure
        let prefix = isSecure ? "https://" : "http://"
        let host = authority.ends(with: ":") ? authority.before(":") : authority.before(isSecure ? ":443" : ":80")
        text = host.map { prefix + $0 } ?? prefix + authority
    }

    /// Nil for other schemes than http and https.
    private static func isSecure(scheme: some StringProtocol) -> Bool? {
        scheme.isIgnoringCase("https") ? true : scheme.isIgnoringCase("http") ? false : nil
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

    package var scheme: String { isSecure ? "https" : "http" }

    /// Host, and port if it is not the scheme's own.
    package var authority: String { String(text.utf8.dropFirst(isSecure ? 8 : 7)) ?? "" }

    /// Whether `authority` is these bytes.
    package func hasAuthority(_ other: String) -> Bool {
        text.utf8.dropFirst(isSecure ? 8 : 7).elementsEqual(other.utf8)
    }

    /// Whether the host has the dot of the DNS root at its end: to browsers another origin, and
    /// proxies do not take it.
    package var hasFinalDot: Bool { host.ends(with: ".") }

    /// Without scheme and port; IPv6 in brackets.
    package var host: String { Self.host(ofAuthority: authority) }

    /// `Host` without its port, in lower case; looked at byte by byte.
    package static func host(ofAuthority authority: String) -> String {
        let bytes = authority.utf8.map(\.asciiLowercased)
        // The colons of IPv6 stand before the bracket.
        let name = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
        let end = bytes[name...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
