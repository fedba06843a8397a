import Essentials
import Hummingbird
import Serving

/// Resumes the session of the request's cookie, under `/api/` of its bearer token; without one, or
/// with one that opens nothing, the visitor is a stranger.
struct SessionMiddleware: RouterMiddleware {
    let sessions: Sessions
    let cookies: SiteCookies
    /// Paths that answer without the store, besides well-known documents.
    let exempt: Set<String>
    /// The content security policy of pages for somebody who is signed in, unless one has its own:
    /// it names all applications. Pages for strangers name only the one that was asked for.
    let signedInPolicy: String

    func handle(_ request: Request, context: AppContext, next: Next<AppContext>) async throws -> Response {
        let path = request.uri.path
        guard !exempt.contains(path), !path.begins(with: "/.well-known/") else {
            return try await next(request, context)
        }
        let presented = request.isForAPI ? request.bearer.map(String.init) : cookies.value(.session, in: request)
        guard let presented else { return try await next(request, context) }
        var context = context
        if let token = Token(presented: presented)?.digest {
            context.visitor.sessionDigest = token
            let record = try await sessions.resume(token).value
            context.signedIn = record.map { AppContext.SignedIn(record: $0) }
        }
        context.hasDeadSession = context.signedIn == nil && !request.isForAPI
        var response = try await next(request, context)
        if context.signedIn != nil, !request.isForAPI, response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = signedInPolicy
        }
        return response
    }
}
