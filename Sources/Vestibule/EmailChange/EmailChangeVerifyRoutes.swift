import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/email/verify` and `/account/email/resend`: the code from the new mailbox.
struct EmailChangeVerifyRoutes: CodePage {
    let change: EmailChange
    let start: EmailChangeRoutes
    let web: Web
    let place = CodePlace(
        kind: .emailChange, path: "/account/email/verify", resend: "/account/email/resend",
        template: "account/email/verify", ids: ["code": "email-code"])

    func elsewhere(_ request: Request, _ context: AppContext) -> Response? {
        guard case .elsewhere(let response) = web.signedInStep(request, context) else { return nil }
        return response
    }

    func sent(_ request: Request, _ context: AppContext) async throws -> SentForm {
        guard let (form, _, check) = try await web.signedInGuard.form(request, context) else {
            return .elsewhere(try web.firstStep(before: "/account/email", context))
        }
        return .here(form, check)
    }

    func pending(_ request: Request, _ context: AppContext) async throws -> PendingEmailChange? {
        guard let record = context.session else { return nil }
        return try await change.pending(flow(request), record.account)
    }

    func values(_ pending: PendingEmailChange, _ form: Form?, _ context: AppContext) -> Values {
        ["signedIn": true, "csrf": web.signedInGuard.formToken(context), "email": pending.code.email.typed]
    }

    func startOver(_ request: Request, _ context: AppContext) throws -> Response {
        // Somebody went back after the end of it.
        guard flow(request) != nil else { return seeOther(AccountSection.profile.path) }
        return try web.say(.emailFlowExpired, on: "/account/email").setting(forgotten(request))
    }

    func beginning(_ pending: PendingEmailChange) -> (url: String, values: Values) {
        ("/account/email", ["signedIn": true])
    }

    func redeem(
        _ pending: PendingEmailChange, _ form: Form, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        guard let record = context.session else { return try startOver(request, context) }
        do {
            let (token, device) = try await change.verify(
                pending, typed: form["code"], record, visitor: context.visitor)
            let response = try web.say(.emailChanged, on: "/account")
            return web.renewed(record.session, token, response).setting(web.cookies, device)
                .setting(forgotten(request))
        } catch Refusal.emailTakenByOther {
            // The flow has ended: the form to begin with, with the reason.
            return try await start.page(
                Refusal.emailTakenByOther, email: pending.code.email.typed, record, request, context
            ).setting(forgotten(request))
        }
    }

    func resend(_ pending: PendingEmailChange, _ context: AppContext) async throws -> Bool {
        guard let record = context.session else { return false }
        return try await change.resend(pending, record.account, visitor: context.visitor)
    }
}
