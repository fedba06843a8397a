import Essentials
import HTTPTypes
import Hummingbird

/// Contract section 8: the headers on every response, errors and static files included.
struct SecurityHeaders: RouterMiddleware {
    let headers: HTTPFields
    static let referrerPolicy = HTTPField.Name("referrer-policy")
    private static let policies = [HTTPField.Name.contentSecurityPolicy] + [referrerPolicy].compactMap { $0 }

    init(_ settings: Settings) {
        // Browsers apply form-action to the redirect that follows a form too.
        let foreign = settings.returnToOrigins + [Origin(ofURL: settings.afterLoginURL)].compactMap { $0 }
        let formAction = (["'self'"] + foreign.map(\.text)).joined(separator: " ")
        var headers: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                + "connect-src 'self'; form-action \(formAction); base-uri 'none'; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
        ]
        // Lower case, as a name in another is kept twice, and each answer counts references to both.
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
        if settings.publicURL.isSecure {
            headers[.strictTransportSecurity] = "max-age=63072000; includeSubDomains"
        }
        self.headers = headers
    }

    /// The policy of every page.
    var policy: String { headers[.contentSecurityPolicy] ?? "" }

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // A route's own policies stay.
        let own = Self.policies.map { ($0, response.headers[$0]) }
        response.headers.append(contentsOf: headers)
        for (name, policy) in own where policy != nil { response.headers[name] = policy }
        // What nobody declared cacheable is personal.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
