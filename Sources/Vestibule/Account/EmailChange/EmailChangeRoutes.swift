import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/email`: the new address and the current password.
struct EmailChangeRoutes {
    let change: EmailChange
    let stepUp: StepUpPages
    let web: Web
    private static let path = "/account/email"

    func add(to routes: some RouterMethods<AppContext>) {
        let group = routes.signedIn(web, page: Self.path, staleForm: .isShownAgain).add(middleware: stepUp)
        group.get(RouterPath(Self.path)) { request, context in
            if let asked = try await stepUp.asked(Self.path, [:], context) { return asked }
            return try web.pages.render("account/email", await values(context.record, request, context), context)
        }
        group.post(RouterPath(Self.path)) { request, context in
            do {
                let form = try context.formWithPasswords()
                let flow = try await change.request(
                    form["email"], password: form["current_password"], context.record, visitor: context.visitor
                )
                return seeOther("/account/email/verify").setting(web.flows.set(.emailChange, flow, in: request))
            } catch let refusals as Refusals where refusals.all == [.proofMissing] {
                return try await stepUp.ask(context.sent(), at: Self.path, .firstFactor, context)
            } catch {
                return try await page(error, email: context.typed("email"), context.record, request, context)
            }
        }
        EmailChangeVerifyRoutes(change: change, start: self, web: web).add(to: group)
    }

    func page(
        _ error: any Error, email: String, _ record: SessionRecord, _ request: Request, _ context: some VisitorContext
    ) async throws -> Response {
        let page = FormPage(
            web: web, template: "account/email",
            ids: ["email": "account-email", "current_password": "current-password"], otherwise: "account-email")
        return try await page.again(error, request, context) { refused in
            var values = try await values(record, request, context)
            values["email"] = refused.field("email", value: email)
            values["current_password"] = refused.field("current_password")
            return values
        }
    }

    private func values(
        _ record: SessionRecord, _ request: Request, _ context: some VisitorContext
    ) async throws -> Values {
        var own: Values = [
            "signedIn": true, "csrf": web.formTokens.token(of: record.session),
            "current_email": record.account.email.typed,
        ]
        let pending = try await change.pending(web.flows.flow(.emailChange, in: request), record.account)
        own["pending"] = pending.map { ["email": $0.code.email.typed] as Values }
        return own.merging(try await change.proof.values(record, returnTo: Self.path, web, context)) { $1 }
    }
}

extension Notice {
    static let emailChanged = Notice("email_changed", .saved)
    static let emailFlowExpired = Notice("email_flow_expired", .problem)
    static let emailRestored = Notice("email_restored", .saved)
    static let emailRestoredDisabled = Notice("email_restored_disabled", .saved)
    static let undoGone = Notice("undo_gone", .problem)
    static let undoTaken = Notice("undo_taken", .problem)
}

extension LinkKind {
    static let emailUndo = LinkKind(name: "undo", page: "/account/email/undo")
}

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

    var onward: String { AccountSection.profile.path }

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
