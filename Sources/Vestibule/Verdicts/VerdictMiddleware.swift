import Essentials
import HTTPTypes
import Hummingbird
import Logging
import Serving

/// Answers what proxies ask before anything else looks at the request: every request to an
/// application waits for it. What takes a page, a line in the log or the whole story of a fault is
/// left to `VerdictRoutes`.
struct VerdictMiddleware: RouterMiddleware {
    let routes: VerdictRoutes
    /// Of every answer.
    private let headers: HTTPFields

    init(_ routes: VerdictRoutes, _ headers: SecurityHeaders) {
        self.routes = routes
        var fields = headers.headers
        fields[.cacheControl] = "no-store"
        self.headers = fields
    }

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        // With the debug log each request has its line.
        guard request.method == .get, let path = request.head.path, let family = VerdictRoutes.families[path],
            context.logger.logLevel > .debug,
            let response = try? await routes.briefAnswer(request, context.peer, family, headers)
        else { return try await next(request, context) }
        return response
    }
}
