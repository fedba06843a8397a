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
        group.get("/api/auth/user") { _, context in
            try JSONReply.of(Answer(user: User(context.account)))
        }
        group.patch("/api/auth/user") { request, context in
            var account = context.account
            if let name = try await JSONBody(request).textIfSent("name") {
                account.displayName = try await profile.rename(context.record, to: name, visitor: context.visitor).text
            }
            return try JSONReply.of(Answer(user: User(account)))
        }
    }
}
