import Essentials
import HTTPTypes
import Hummingbird

/// Refuses unsafe requests that another site's page made a browser send.
struct CrossOriginCheck: RouterMiddleware {
    let publicURL: Origin
    /// Paths that one other origin may post to.
    let exempt: [String: String]
    let audit: Audit
    private static let safe: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard
            Self.safe.contains(request.method) || isExempt(request)
                || RequestSource(request, publicURL: publicURL) != .elsewhere
        else {
            audit.log(.crossSite, visitor: context.visitor, path: request.uri.path)
            throw HTTPError(.forbidden)
        }
        return try await next(request, context)
    }

    private func isExempt(_ request: Request) -> Bool {
        request.method == .post && exempt[request.uri.path].map { request.headers[.origin] == $0 } ?? false
    }
}

/// Whose page sent a request, as far as the browser says (Fetch Metadata, then Origin).
enum RequestSource {
    /// A page of ours, and the browser says so.
    case ourPage
    /// Nobody's page: typed by the visitor, or not sent by a browser, so that nobody's cookies are being misused.
    case noPage
    /// A page of another origin.
    case elsewhere

    private static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")

    init(_ request: Request, publicURL: Origin) {
        if let site = Self.secFetchSite.flatMap({ request.headers[$0] }) {
            self = site == "same-origin" ? .ourPage : site == "none" ? .noPage : .elsewhere
        } else if let origin = request.headers[.origin] {
            self = origin == publicURL.text ? .ourPage : .elsewhere
        } else {
            self = .noPage
        }
    }
}
