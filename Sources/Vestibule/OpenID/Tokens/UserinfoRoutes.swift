import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `/oauth/userinfo`: what an access token lets its client see (OpenID Connect Core section 5.3).
struct UserinfoRoutes {
    let store: any ClientTokenStore
    let applications: Applications
    let now: @Sendable () -> Date

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/oauth/userinfo") { request, _ in try await answer(request.bearer.map(String.init)) }
        routes.post("/oauth/userinfo") { request, _ in
            let inHeader = request.bearer.map(String.init)
            do {
                let form = try await Form(request)
                guard form.holds("access_token") else { return try await answer(inHeader) }
                // RFC 6750 section 2: one way at a time.
                guard inHeader == nil else { return try Self.refusal("invalid_request", .badRequest) }
                return try await answer(form["access_token"])
            } catch let error as HTTPError {
                // A body of another type carries no token.
                guard error.status != .unsupportedMediaType else { return try await answer(inHeader) }
                return try Self.refusal("invalid_request", .badRequest)
            }
        }
    }

    private func answer(_ presented: String?) async throws -> Response {
        guard let presented else { return try Self.refusal(nil, .unauthorized) }
        let now = now()
        guard let token = Token(presented: presented),
            let grant = try await store.accessGrant(token.digest, at: now),
            applications.client(grant.application)?.reads(grant, at: now) == true
        else { return try Self.refusal("invalid_token", .unauthorized) }
        var claims: JSONObject = ["sub": grant.record.account.id]
        for (name, value) in Scopes(grant.scopes).claims(of: grant.record.account) { claims[name] = value }
        return try JSONReply.of(claims)
    }

    private static func refusal(_ code: String?, _ status: HTTPResponse.Status) throws -> Response {
        let error = code.map { ", error=\"\($0)\"" } ?? ""
        return Response(status: status, headers: [.wwwAuthenticate: "Bearer realm=\"vestibule\"\(error)"])
    }
}
