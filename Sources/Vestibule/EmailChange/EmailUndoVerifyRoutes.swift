import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/email/undo/verify` and `/account/email/undo/resend`: the code from the former mailbox,
/// and a new password.
struct EmailUndoVerifyRoutes {
    let rule: EmailUndoRule
    let sessions: Sessions
    let web: Web
    private static let ids = [
        "code": "undo-code", "password": "new-password", "password_confirmation": "undo-password-confirmation",
    ]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/email/undo/verify", use: show)
        routes.post("/account/email/undo/verify", use: submit)
        routes.post("/account/email/undo/resend", use: resend)
        // A refused request for another code is shown at this URL: reloading it leads back.
        routes.get("/account/email/undo/resend") { _, _ in seeOther("/account/email/undo/verify") }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let pending = try await rule.pendingCode(flow(request)) else { return startOver(request) }
        guard !pending.isSpent else { return try web.spent(LinkCookie.Kind.emailUndo.page, context) }
        var values = shown(pending, context)
        values["notice"] = web.pages.sentence("notice.code_sent", context)
        return try web.pages.render("account/email/undo-verify", values, context)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        guard let pending = try await rule.pendingCode(flow(request)) else { return startOver(request) }
        let form = PasswordReset.Form(
            code: fields["code"], password: fields["password"], passwordConfirmation: fields["password_confirmation"]
        )
        do {
            let notice: Notice =
                switch try await rule.redeem(pending, form, visitor: context.visitor) {
                case .gone: .undoGone
                case .locked: .undoTaken
                case .restored: .emailRestored
                }
            return try await finish(pending.undo, notice, request, context)
        } catch {
            return try await page(error, pending, code: form.code, request, context)
        }
    }

    @Sendable private func resend(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Form(request)
        guard let pending = try await rule.pendingCode(flow(request)) else { return startOver(request) }
        guard !pending.isSpent else { return seeOther("/account/email/undo/verify") }
        do {
            guard try await rule.resend(pending, visitor: context.visitor) else {
                return seeOther("/account/email/undo/verify")
            }
            return try web.say(.codeSentAgain, on: "/account/email/undo/verify")
        } catch {
            return try await page(error, pending, request, context)
        }
    }

    /// Every session of the account has ended; one of another account that is open here ends as
    /// well.
    private func finish(
        _ undo: EmailUndo, _ notice: Notice, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let over = [web.flows.set(.emailUndo, nil, in: request), web.links.clear()]
        guard notice != .undoGone else {
            return over.reduce(try web.leaveUndo(notice, context)) { $0.setting($1) }
        }
        if let token = context.sessionToken, let other = context.session, other.account.id != undo.accountID {
            try await sessions.end(token, of: other, visitor: context.visitor)
        }
        let response = try web.say(notice, on: "/login").setting(web.cookies.clear(.session))
        return over.reduce(response) { $0.setting($1) }
    }

    private func flow(_ request: Request) -> Token? {
        web.flows.flow(.emailUndo, in: request)
    }

    /// To the page that sends a code, which says so when its link has ended.
    private func startOver(_ request: Request) -> Response {
        seeOther(LinkCookie.Kind.emailUndo.page).setting(web.flows.set(.emailUndo, nil, in: request))
    }

    private func shown(_ pending: PendingEmailUndo, _ context: AppContext) -> Values {
        web.tries(pending, context).merging(["masked": EmailAddress(pending.undo.email)?.masked ?? ""]) { $1 }
    }

    private func page(
        _ error: any Error, _ pending: PendingEmailUndo, code: String? = nil, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        guard let refused = RefusedForm(error, ids: Self.ids, otherwise: "undo-code", web, request, context) else {
            throw error
        }
        // It may have been the last try.
        let after = try await rule.pendingCode(flow(request)) ?? pending
        guard !after.isSpent else { return try web.spent(error, LinkCookie.Kind.emailUndo.page, request, context) }
        var values = shown(after, context)
        values["code"] = refused.field("code", value: code)
        for name in ["password", "password_confirmation"] { values[name] = refused.field(name) }
        return try refused.page("account/email/undo-verify", values, context)
    }
}
