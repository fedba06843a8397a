import HTTPTypes
import Hummingbird
import JWTKit

/// Lets a request pass if Vestibule says who sent it; anybody else is answered 401.
struct AssertionMiddleware: RouterMiddleware {
    let keys: KeySet
    let issuer: String
    let audience: String

    func handle(
        _ request: Request, context: VisitContext, next: (Request, VisitContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.visitor = try await visitor(Self.assertion(of: request))
        return try await next(request, context)
    }

    private func visitor(_ assertion: String?) async throws -> Visitor {
        guard let assertion, let collection = try await keys.collection(for: assertion),
            let visitor = try? await collection.verify(assertion, as: Visitor.self),
            visitor.iss == issuer, visitor.aud == audience
        else { throw HTTPError(.unauthorized) }
        return visitor
    }

    /// From the proxy in `Vestibule-Assertion`, from a script as a bearer token.
    private static func assertion(of request: Request) -> String? {
        if let given = HTTPField.Name("Vestibule-Assertion").flatMap({ request.headers[$0] }) { return given }
        guard let bearer = request.headers[.authorization], bearer.hasPrefix("Bearer ") else { return nil }
        return String(bearer.dropFirst(7))
    }
}

/// Who sent the request. The signature is checked before this is made, the time here.
struct Visitor: JWTPayload {
    let iss: String
    /// Not an `AudienceClaim`: an empty list would end the program (jwt-kit 5.7).
    let aud: String
    let sub: String
    let exp: ExpirationClaim
    /// Nil for a machine.
    let name: String?
    let groups: [String]

    func verify(using algorithm: some JWTAlgorithm) throws {
        try exp.verifyNotExpired()
    }
}
