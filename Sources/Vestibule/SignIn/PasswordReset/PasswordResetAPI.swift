import HTTPTypes
import Hummingbird
import Serving

/// `POST password-reset`, `POST password-reset/verify`.
struct PasswordResetAPI {
    let reset: PasswordReset

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/password-reset", use: request)
        routes.post("/api/auth/password-reset/verify", use: redeem)
    }

    @Sendable private func request(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await JSONBody(request)
        let flow = try await reset.request(body.text("email"), replaces: nil, visitor: context.visitor)
        return try JSONReply.of(FlowAnswer(flow), status: .accepted)
    }

    @Sendable private func redeem(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await JSONBody(request)
        let form = CodeAndPassword(
            code: try body.text("code"), password: NewPassword(password: try body.text("password"), confirmation: nil))
        // A proof belongs to the browser that gave it: here a code is always asked for.
        guard let pending = try await reset.pending(body.flow()), !pending.isProved else { throw Refusal.codeWrong }
        try await reset.redeem(pending, form, visitor: context.visitor)
        return JSONReply.nothing
    }
}
