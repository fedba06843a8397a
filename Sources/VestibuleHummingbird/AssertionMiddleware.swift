import Bytes
import HTTPTypes
public import Hummingbird
import Logging
public import VestibuleVerifier

/// Lets a request pass if Vestibule says who sent it, and leaves that in the context.
///
/// The assertion is read from `Vestibule-Assertion`, which the proxy sets, or, from a script of the
/// application's own pages, as a bearer token (RFC 6750 section 2.1). A request without a good one
/// is answered 401; while the keys of the sign-in cannot be read, one with any assertion, 503.
public struct AssertionMiddleware<Context: IdentityContext>: RouterMiddleware {
    private let verifier: AssertionVerifier

    /// Add it before the routes.
    public init(_ verifier: AssertionVerifier) {
        self.verifier = verifier
    }

    /// Throws `HTTPError`: 401 or 503.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let assertion = Self.assertion(of: request.headers) else { throw HTTPError.identityMissing }
        var context = context
        do {
            context.verifiedIdentity = try await verifier.verify(assertion)
        } catch .refused(let reason) {
            context.logger.debug("An assertion was refused. \(reason)")
            throw HTTPError.identityMissing
        } catch .keysUnavailable(let reason) {
            context.logger.error("\(reason)")
            throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "5"])
        }
        return try await next(request, context)
    }

    /// Nil, too, if there are several: nobody can say then which one the proxy set.
    private static func assertion(of headers: HTTPFields) -> String? {
        let given = headers[values: .assertion]
        guard given.isEmpty else { return given.count == 1 ? given[0] : nil }
        let credentials = headers[values: .authorization].map { $0.parts(by: " ", atMost: 2) }
        guard credentials.count == 1, credentials[0].count == 2, credentials[0][0].isIgnoringCase("bearer")
        else { return nil }
        return String(credentials[0][1])
    }
}

extension HTTPField.Name {
    // The name is valid: a bearer token never stands in the other.
    fileprivate static var assertion: Self { Self("Vestibule-Assertion") ?? .wwwAuthenticate }
}
