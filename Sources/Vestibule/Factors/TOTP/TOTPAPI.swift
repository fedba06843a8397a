import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST factors/totp`, `POST factors/totp/confirm`, `DELETE factors/totp`; a change renews the
/// token.
struct TOTPAPI {
    let stepUp: StepUpCalls
    let setup: TOTPSetup
    let reauthentication: Reauthentication

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedInCalls().add(middleware: stepUp)
        group.post("/api/auth/factors/totp", use: begin)
        group.post("/api/auth/factors/totp/confirm", use: confirm)
        group.delete("/api/auth/factors/totp", use: remove)
    }

    @Sendable private func begin(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await reauthentication.prove(request, context)
        let pending = try setup.begin(context.record)
        return try JSONReply.of(
            ["setup": pending.sealed, "key": pending.key.text, "uri": setup.uri(pending, context.account)])
    }

    @Sendable private func confirm(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await JSONBody(request)
        let (sealed, code) = (try body.text("setup"), try body.text("code"))
        try await reauthentication.prove(body, context)
        guard let pending = setup.pending(sealed, context.record) else { throw Refusal.appCodeWrong }
        let renewed = try await setup.confirm(
            pending, typed: code, context.record, context.factors, visitor: context.visitor)
        return try JSONReply.renewed(renewed.token, context.record)
    }

    @Sendable private func remove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await reauthentication.prove(request, context)
        guard let token = try await setup.remove(context.record, visitor: context.visitor) else {
            throw HTTPError(.notFound)
        }
        return try JSONReply.renewed(token, context.record)
    }
}
