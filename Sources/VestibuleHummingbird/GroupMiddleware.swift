import Bytes
public import Hummingbird
import VestibuleVerifier

/// Lets members of one group pass; anybody else is answered 403. Add it after
/// ``AssertionMiddleware``, to the application or to a group of its routes.
public struct GroupMiddleware<Context: IdentityContext>: RouterMiddleware {
    private let name: String

    /// - Parameter name: As in `vestibule users groups --add`.
    public init(_ name: String) {
        self.name = name
    }

    /// Throws `HTTPError`: 403, or 401 if nobody has verified who sent the request.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard try context.identity.groups.contains(where: { $0.isExactly(name) }) else { throw HTTPError(.forbidden) }
        return try await next(request, context)
    }
}
