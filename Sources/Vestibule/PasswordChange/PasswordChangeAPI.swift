import Essentials
import Hummingbird
import Serving

/// `POST user/password`; the change renews the token.
struct PasswordChangeAPI {
    let change: PasswordChange
    let sessions: Sessions

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/user/password", use: submit)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller()
        let body = try await JSONBody(request)
        let new = NewPassword(password: try body.text("password"), confirmation: nil)
        let (token, _, _) = try await change.change(
            record, to: new, current: body.currentPassword(), visitor: context.visitor)
        return try await JSONReply.renewed(token, sessions)
    }
}
