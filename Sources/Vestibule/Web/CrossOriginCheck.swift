import HTTPTypes
import Hummingbird

/// Refuses unsafe requests that another site's page made a browser send (Fetch Metadata, then Origin).
struct CrossOriginCheck: RouterMiddleware {
    let publicURL: Origin
    /// Paths that one other origin may post to.
    let exempt: [String: String]
    let audit: Audit
    private static let safe: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]
    private let secFetchSite = HTTPField.Name("Sec-Fetch-Site")

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard Self.safe.contains(request.method) || isOwn(request) else {
            audit.log(.crossSite, visitor: context.visitor, path: request.uri.path)
            throw HTTPError(.forbidden)
        }
        return try await next(request, context)
    }

    private func isOwn(_ request: Request) -> Bool {
        if request.method == .post, let origin = exempt[request.uri.path], request.headers[.origin] == origin {
            return true
        }
        if let site = secFetchSite.flatMap({ request.headers[$0] }) { return site == "same-origin" || site == "none" }
        // Neither header: not a browser, so nobody's cookies are being misused.
        return request.headers[.origin].map { $0 == publicURL.text } ?? true
    }
}
