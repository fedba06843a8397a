package import Essentials

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
    package init(_ fields: QuestionFields, _ family: Family) throws(ForwardedRequestFault) {
        switch family {
        case .forwarded: try self.init(forwarded: fields)
        case .original: try self.init(original: fields)
        }
        try check(against: fields, family)
    }

    private init(forwarded fields: QuestionFields) throws(ForwardedRequestFault) {
        let method = try fields.forwardedMethod.only()
        let scheme = try fields.forwardedProto.only()
        let host = try fields.forwardedHost.only()
        let target = try fields.forwardedURI.only()
        try self.init(method, Origin(scheme: scheme, authority: host), RequestTarget(target))
    }

    private init(original fields: QuestionFields) throws(ForwardedRequestFault) {
        let method = try fields.originalMethod.only()
        let url = try Self.split(fields.originalURL.only())
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
    ) throws(ForwardedRequestFault) -> (scheme: Substring, authority: Substring, target: String) {
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard let rest = Substring(url.utf8[scheme.endIndex...]).after("://") else { throw .malformed("URL") }
        let authority = rest.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let target = rest.utf8[authority.endIndex...]
        return (Substring(scheme), Substring(authority), target.isEmpty ? "/" : String(Substring(target)))
    }

    private func check(against fields: QuestionFields, _ family: Family) throws(ForwardedRequestFault) {
        switch family {
        case .forwarded:
            if let method = try fields.originalMethod.atMostOne(), method != self.method { throw .disagreement }
            guard let url = try fields.originalURL.atMostOne() else { return }
            let parts = try Self.split(url)
            try check(Origin(scheme: parts.scheme, authority: parts.authority), parts.target)
        case .original:
            if let method = try fields.forwardedMethod.atMostOne(), method != self.method { throw .disagreement }
            if let target = try fields.forwardedURI.atMostOne() { try check(origin, target) }
            let scheme = try fields.forwardedProto.atMostOne() ?? origin.scheme
            let host = try fields.forwardedHost.atMostOne()
            // As nginx tells it: no need to read it as an origin.
            if scheme.isExactly(origin.scheme), host.map(origin.hasAuthority) ?? true { return }
            try check(Origin(scheme: scheme, authority: host ?? origin.authority), target.text)
        }
    }

    private func check(_ origin: Origin?, _ target: String) throws(ForwardedRequestFault) {
        guard origin == self.origin, target == self.target.text else { throw .disagreement }
    }
}

/// Why a proxy's question cannot be answered.
package enum ForwardedRequestFault: Error, Sendable, Equatable, CustomStringConvertible {
    case missing(String)
    /// A header that comes twice, or under another spelling.
    case repeated(String)
    /// What cannot be read, or would be read differently by different servers.
    case malformed(String)
    /// The two families tell of two requests.
    case disagreement

    package var description: String {
        switch self {
        case .missing(let name): "\(name) is missing"
        case .repeated(let name): "\(name) comes twice"
        case .malformed(let name): "\(name) cannot be read"
        case .disagreement: "X-Forwarded and X-Original headers tell of two requests"
        }
    }
}
