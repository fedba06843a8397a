import Essentials
import Hummingbird
import Serving

/// `GET user`, and `PATCH user` for the name.
struct ProfileAPI {
    let profile: Profile

    private struct Answer: Encodable {
        let user: User
    }

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedInCalls()
        group.get("/api/auth/user", use: show)
        group.patch("/api/auth/user", use: change)
    }

    @Sendable private func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try JSONReply.of(Answer(user: User(context.account)))
    }

    @Sendable private func change(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var account = context.account
        if let name = try await JSONBody(request).textIfSent("name") {
            account.displayName = try await profile.rename(context.record, to: name, visitor: context.visitor).text
        }
        return try JSONReply.of(Answer(user: User(account)))
    }
}
