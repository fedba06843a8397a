import Hummingbird

/// Resumes the session of the request's cookie, under `/api/` of its bearer token; without one, or with one that opens
/// nothing, the visitor is a stranger.
struct SessionMiddleware: RouterMiddleware {
    let sessions: Sessions
    let cookies: Cookies

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        // They tell of the store; so they must not fail with it.
        guard !HealthRoutes.paths.contains(request.uri.path) else { return try await next(request, context) }
        let presented = request.isForAPI ? request.bearer.map(String.init) : cookies.value(.session, in: request)
        guard let token = presented.flatMap(Token.init(presented:)) else {
            return try await next(request, context)
        }
        var context = context
        context.visitor.sessionDigest = token.digest
        if let record = try await sessions.resume(token) {
            context.signedIn = AppContext.SignedIn(record: record, token: token)
        }
        return try await next(request, context)
    }
}
