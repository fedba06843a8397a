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

    func pending(_ request: Request, _ context: SignedInContext) async throws -> PendingEmailChange? {
        try await change.pending(flow(request), context.account)
    }

    func values(_ pending: PendingEmailChange, _ form: Form?, _ context: SignedInContext) -> Values {
        ["signedIn": true, "csrf": web.formToken(context), "email": pending.code.email.typed]
    }

    func startOver(_ request: Request, _ context: SignedInContext) throws -> Response {
        // Somebody went back after the end of it.
        guard flow(request) != nil else { return seeOther(AccountSection.profile.path) }
        return try web.say(.emailFlowExpired, on: "/account/email").setting(forgotten(request))
    }

    func beginning(_ pending: PendingEmailChange) -> (url: String, values: Values) {
        ("/account/email", ["signedIn": true])
    }

    func redeem(
        _ pending: PendingEmailChange, _ form: Form, _ request: Request, _ context: SignedInContext
    ) async throws -> Response {
        do {
            let (token, device) = try await change.verify(
                pending, typed: form["code"], context.record, visitor: context.visitor)
            let response = try web.say(.emailChanged, on: "/account")
            return web.renewed(context.session, token, response).setting(web.cookies, device)
                .setting(forgotten(request))
        } catch Refusal.emailTakenByOther {
            // The flow has ended: the form to begin with, with the reason.
            return try await start.page(
                Refusal.emailTakenByOther, email: pending.code.email.typed, context.record, request, context
            ).setting(forgotten(request))
        }
    }

    func resend(_ pending: PendingEmailChange, _ context: SignedInContext) async throws -> Bool {
        try await change.resend(pending, context.account, visitor: context.visitor)
    }
}
