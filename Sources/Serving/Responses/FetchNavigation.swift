import HTTPTypes
package import Hummingbird

/// For our own script, which posts forms: a redirect as a header it can read, since `fetch` hides
/// the target of a real one. Never for other methods: a proxy takes any 2xx of a verdict for a yes.
package struct FetchNavigation<Context: RequestContext>: RouterMiddleware {
    private let asked = HTTPField.Name("Vestibule-Fetch")

    package init() {}

    package func handle(_ request: Request, context: Context, next: Next<Context>) async throws -> Response {
        var response = try await next(request, context)
        guard request.method == .post, let asked, request.headers[asked] != nil, response.status == .seeOther
        else { return response }
        response.status = .ok
        response.headers[.vestibuleLocation] = response.headers[.location]
        response.headers[.location] = nil
        return response
    }
}

extension HTTPField.Name {
    /// Where our own script goes on.
    static var vestibuleLocation: Self { Self("Vestibule-Location") ?? .location }
}
