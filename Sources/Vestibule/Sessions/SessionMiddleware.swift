import Hummingbird

/// Resumes the session of the request's cookie; without one, or with one that opens nothing, the visitor is a stranger.
struct SessionMiddleware: RouterMiddleware {
    let sessions: Sessions
    let cookies: Cookies

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        guard let token = cookies.value(.session, in: request).flatMap(Token.init(presented:)) else {
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
