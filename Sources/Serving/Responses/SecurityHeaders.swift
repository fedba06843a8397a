import HTTPTypes
package import Hummingbird

/// Contract section 8: the headers on every response, errors and static files included.
package struct SecurityHeaders: Sendable {
    package let headers: HTTPFields
    /// For answers that a proxy may pass on under an application's host: without strict transport
    /// security, which would bind that host and all below it.
    package let onOtherHosts: HTTPFields
    private let formTargets: [String]
    package static let referrerPolicy = HTTPField.Name("referrer-policy")
    private static let policies = [HTTPField.Name.contentSecurityPolicy] + [referrerPolicy].compactMap { $0 }

    /// `formTargets` are the other origins that a redirect after a form of any page may lead to:
    /// browsers apply `form-action` to that too.
    package init(isSecure: Bool, formTargets: [String]) {
        self.formTargets = formTargets
        var headers: HTTPFields = [
            .contentSecurityPolicy: Self.policy(formTargets),
            .xContentTypeOptions: "nosniff",
        ]
        // Lower case, as a name in another is kept twice, and each answer counts references to
        // both.
        let others = [
            "referrer-policy": "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "cross-origin-embedder-policy": "require-corp",
            "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
        ]
        for (name, value) in others {
            if let field = HTTPField.Name(name) { headers[field] = value }
        }
        onOtherHosts = headers
        if isSecure { headers[.strictTransportSecurity] = "max-age=63072000; includeSubDomains" }
        self.headers = headers
    }

    /// The policy of every page.
    package var policy: String { headers[.contentSecurityPolicy] ?? "" }

    /// The policy of a page whose forms may also lead to these origins, and schemes of apps.
    package func policy(alsoTo targets: [String]) -> String {
        Self.policy(formTargets + targets)
    }

    private static func policy(_ formTargets: [String]) -> String {
        let sources = ["'self'"] + formTargets.enumerated().filter { !formTargets[..<$0].contains($1) }.map(\.element)
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
            + "connect-src 'self'; form-action \(sources.joined(separator: " ")); base-uri 'none'; "
            + "frame-ancestors 'none'"
    }

    /// Adds them to an answer.
    func add(to response: inout Response, onOtherHost: Bool = false) {
        // A route's own policies stay.
        let own = Self.policies.map { ($0, response.headers[$0]) }
        response.headers.append(contentsOf: onOtherHost ? onOtherHosts : headers)
        for (name, policy) in own where policy != nil { response.headers[name] = policy }
        // What nobody declared cacheable is personal.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }
}

/// Adds the headers to every response of the routes.
package struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    let headers: SecurityHeaders
    /// Whether a proxy passes the answers of that path on under an application's host.
    let isForOtherHosts: @Sendable (String) -> Bool

    package init(_ headers: SecurityHeaders, isForOtherHosts: @escaping @Sendable (String) -> Bool) {
        (self.headers, self.isForOtherHosts) = (headers, isForOtherHosts)
    }

    package func handle(_ request: Request, context: Context, next: Next<Context>) async throws -> Response {
        var response = try await next(request, context)
        headers.add(to: &response, onOtherHost: isForOtherHosts(request.uri.path))
        return response
    }
}
