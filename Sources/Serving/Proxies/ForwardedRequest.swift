package import Essentials
package import HTTPTypes

/// The request that a proxy asks about, read from the one family of headers that its kind of proxy
/// sets; nothing is guessed.
package struct ForwardedRequest: Sendable, Equatable {
    package enum Family: Sendable {
        /// `X-Forwarded-Method`, `-Proto`, `-Host`, `-Uri`: Caddy's `forward_auth`, Traefik's
        /// ForwardAuth.
        case forwarded
        /// `X-Original-Method`, `X-Original-URL`: nginx's `auth_request`.
        case original
    }

    package let method: String
    package let origin: Origin
    package let target: RequestTarget

    /// Throws `ForwardedRequestFault`. The other family may be sent, too, as some configurations
    /// do, but must tell the same.
    package init(_ headers: HTTPFields, _ family: Family) throws(ForwardedRequestFault) {
        switch family {
        case .forwarded: try self.init(forwarded: headers)
        case .original: try self.init(original: headers)
        }
        try check(against: headers, family)
    }

    private init(forwarded headers: HTTPFields) throws(ForwardedRequestFault) {
        let method = try headers.only(.xForwardedMethod)
        let scheme = try headers.only(.xForwardedProto)
        let host = try headers.only(.xForwardedHost)
        let target = try headers.only(.xForwardedURI)
        try self.init(method, Origin(scheme: scheme, authority: host), RequestTarget(target))
    }

    private init(original headers: HTTPFields) throws(ForwardedRequestFault) {
        let method = try headers.only(.xOriginalMethod)
        let url = try Self.split(headers.only(.xOriginalURL))
        try self.init(method, Origin(scheme: url.scheme, authority: url.authority), RequestTarget(url.target))
    }

    private init(
        _ method: String, _ origin: Origin?, _ target: RequestTarget?
    ) throws(ForwardedRequestFault) {
        guard (1...32).contains(method.utf8.count), method.utf8.allSatisfy({ (65...90).contains($0) || $0 == 45 })
        else { throw .malformed("method") }
        guard let origin else { throw .malformed("origin") }
        guard let target else { throw .malformed("path") }
        (self.method, self.origin, self.target) = (method, origin, target)
    }

    /// `https://example.com/path?query`, by its bytes.
    private static func split(
        _ url: String
    ) throws(ForwardedRequestFault) -> (scheme: String, authority: String, target: String) {
        let parts = url.parts(by: ":", atMost: 2)
        guard parts.count == 2, let rest = parts[1].after("//") else { throw .malformed("URL") }
        let authority = rest.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let target = String(rest.utf8.dropFirst(authority.count)) ?? ""
        return (String(parts[0]), String(authority) ?? "", target.isEmpty ? "/" : target)
    }

    private func check(against headers: HTTPFields, _ family: Family) throws(ForwardedRequestFault) {
        switch family {
        case .forwarded:
            if let method = try headers.atMostOne(.xOriginalMethod), method != self.method { throw .disagreement }
            guard let url = try headers.atMostOne(.xOriginalURL) else { return }
            let parts = try Self.split(url)
            try check(Origin(scheme: parts.scheme, authority: parts.authority), parts.target)
        case .original:
            if let method = try headers.atMostOne(.xForwardedMethod), method != self.method { throw .disagreement }
            if let target = try headers.atMostOne(.xForwardedURI) { try check(origin, target) }
            let scheme = try headers.atMostOne(.xForwardedProto)
            let host = try headers.atMostOne(.xForwardedHost)
            guard scheme != nil || host != nil else { return }
            let own = (scheme: origin.isSecure ? "https" : "http", authority: origin.authority)
            try check(Origin(scheme: scheme ?? own.scheme, authority: host ?? own.authority), target.text)
        }
    }

    private func check(_ origin: Origin?, _ target: String) throws(ForwardedRequestFault) {
        guard origin == self.origin, target == self.target.text else { throw .disagreement }
    }
}

/// Why a proxy's question cannot be answered.
package enum ForwardedRequestFault: Error, Sendable, Equatable {
    case missing(String)
    /// A header that comes twice, or under another spelling.
    case repeated(String)
    /// What cannot be read, or would be read differently by different servers.
    case malformed(String)
    /// The two families tell of two requests.
    case disagreement
}

extension HTTPFields {
    fileprivate func only(_ name: HTTPField.Name?) throws(ForwardedRequestFault) -> String {
        guard let value = try atMostOne(name) else { throw .missing(name?.rawName ?? "") }
        return value
    }

    fileprivate func atMostOne(_ name: HTTPField.Name?) throws(ForwardedRequestFault) -> String? {
        guard let name else { return nil }
        let values = self[values: name]
        guard values.count <= 1 else { throw .repeated(name.rawName) }
        return values.first
    }
}

extension HTTPField.Name {
    fileprivate static let xForwardedMethod = HTTPField.Name("X-Forwarded-Method")
    fileprivate static let xForwardedProto = HTTPField.Name("X-Forwarded-Proto")
    fileprivate static let xForwardedHost = HTTPField.Name("X-Forwarded-Host")
    fileprivate static let xForwardedURI = HTTPField.Name("X-Forwarded-Uri")
    fileprivate static let xOriginalMethod = HTTPField.Name("X-Original-Method")
    fileprivate static let xOriginalURL = HTTPField.Name("X-Original-URL")
}
