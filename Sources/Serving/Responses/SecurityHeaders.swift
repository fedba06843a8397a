import HTTPTypes
package import Hummingbird

/// Contract section 8: the headers on every response, errors and static files included.
package struct SecurityHeaders: Sendable {
    package let headers: HTTPFields
    package static let referrerPolicy = HTTPField.Name("referrer-policy")
    private static let policies = [HTTPField.Name.contentSecurityPolicy] + [referrerPolicy].compactMap { $0 }

    /// `formTargets` are the other origins, and schemes of apps, that a redirect after a form may
    /// lead to: browsers apply `form-action` to that too.
    package init(isSecure: Bool, formTargets: [String]) {
        let formAction = (["'self'"] + formTargets).joined(separator: " ")
        var headers: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                + "font-src 'self'; connect-src 'self'; form-action \(formAction); base-uri 'none'; "
                + "frame-ancestors 'none'",
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
        if isSecure {
            headers[.strictTransportSecurity] = "max-age=63072000; includeSubDomains"
        }
        self.headers = headers
    }

    /// The policy of every page.
    package var policy: String { headers[.contentSecurityPolicy] ?? "" }

    /// Adds them to an answer.
    func add(to response: inout Response) {
        // A route's own policies stay.
        let own = Self.policies.map { ($0, response.headers[$0]) }
        response.headers.append(contentsOf: headers)
        for (name, policy) in own where policy != nil { response.headers[name] = policy }
        // What nobody declared cacheable is personal.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }
}

/// Adds the headers to every response of the routes.
package struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    let headers: SecurityHeaders

    package init(_ headers: SecurityHeaders) {
        self.headers = headers
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        headers.add(to: &response)
        return response
    }
}
