import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST user/password`, `POST user/email`, `POST user/email/verify`: what opens the account. Each change renews the token.
struct CredentialsAPI {
    let sessions: Sessions
    let password: ChangePassword
    let email: EmailChange

    func add(to routes: Routes) {
        routes.post("/api/auth/user/password", changePassword)
        routes.post("/api/auth/user/email", changeEmail)
        routes.post("/api/auth/user/email/verify", verifyEmail)
    }

    @Sendable private func changePassword(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller()
        let body = try await JSONBody(request)
        let new = try body.text("password")
        let (token, _, _) = try await password.change(
            record, to: NewPassword(password: new, confirmation: nil), current: body.currentPassword(),
            visitor: context.visitor
        )
        return try await renewed(token)
    }

    @Sendable private func changeEmail(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller()
        let body = try await JSONBody(request)
        let flow = try await email.request(
            body.text("email"), password: body.currentPassword(), record, visitor: context.visitor
        )
        return try JSONReply.of(FlowAnswer(flow), status: .accepted)
    }

    @Sendable private func verifyEmail(_ request: Request, _ context: AppContext) async throws -> Response {
        let record = try context.caller()
        let body = try await JSONBody(request)
        let code = try body.text("code")
        guard let pending = try await email.pending(body.flow(), record.account) else { throw Refusal.codeWrong }
        return try await renewed(try await email.verify(pending, typed: code, record, visitor: context.visitor))
    }

    /// The new token of a session; the one before opens nothing any more.
    private func renewed(_ token: Token) async throws -> Response {
        guard let record = try await sessions.resume(token) else { throw Refusal.signInNeeded }
        return try JSONReply.of(SessionAnswer(token, record))
    }
}
