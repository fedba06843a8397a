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
        routes.get("/api/auth/user", use: show)
        routes.patch("/api/auth/user", use: change)
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
}
