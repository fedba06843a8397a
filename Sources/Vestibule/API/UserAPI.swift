import HTTPTypes
import Hummingbird
import Serving

/// `GET`, `PATCH` and `DELETE user`, `POST user/terms`.
struct UserAPI {
    let profile: Profile
    let deletion: DeleteAccount
    let terms: AcceptTerms

    private struct Answer: Encodable {
        let user: User
    }

    func add(to routes: Routes) {
        routes.get("/api/auth/user", show)
        routes.patch("/api/auth/user", change)
        routes.delete("/api/auth/user", delete)
        routes.post("/api/auth/user/terms", acceptTerms)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        try JSONReply.of(Answer(user: User(try context.caller().account)))
    }

    @Sendable private func change(_ request: Request, _ context: AppContext) async throws -> Response {
        var account = try context.caller().account
        if let name = try await JSONBody(request).textIfSent("name") {
            account.displayName = try await profile.rename(account, to: name, visitor: context.visitor).text
        }
        return try JSONReply.of(Answer(user: User(account)))
    }

    @Sendable private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        // Whoever does not accept new terms may leave.
        let record = try context.caller(awaitingTerms: true)
        let password = try await JSONBody(request).currentPassword()
        try await deletion.delete(record, password: password, visitor: context.visitor)
        return JSONReply.nothing
    }

    @Sendable private func acceptTerms(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller(awaitingTerms: true)
        let body = try await JSONBody(request)
        try await terms.accept(body.acceptsTerms(), record, visitor: context.visitor)
        return JSONReply.nothing
    }
}
