import Essentials
import Hummingbird
import Serving

/// `GET user`, and `PATCH user` for the name.
struct ProfileAPI {
    let profile: Profile

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedInCalls()
        group.get("/api/auth/user") { _, context in
            try JSONReply.of(["user": JSONObject.user(context.account)])
        }
        group.patch("/api/auth/user") { request, context in
            var account = context.account
            if let name = try await JSONBody(request).textIfSent("name") {
                account.displayName = try await profile.rename(context.record, to: name, visitor: context.visitor).text
            }
            return try JSONReply.of(["user": JSONObject.user(account)])
        }
    }
}
