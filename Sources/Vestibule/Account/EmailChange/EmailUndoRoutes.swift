import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/email/undo`: opened from the mail to the former address. Opening it changes nothing;
/// it asks whether a code may be sent.
struct EmailUndoRoutes {
    let rule: EmailUndo
    let sessions: Sessions
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/email/undo", use: show)
        routes.post("/account/email/undo", use: sendCode)
        EmailUndoVerifyRoutes(rule: rule, sessions: sessions, web: web).add(to: routes)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        if let presented = request.uri.queryParameters.get("token") {
            guard let token = Token(presented: presented), try await rule.pending(token) != nil else {
                return try web.leaveUndo(.undoGone, context).withoutReferrer
            }
            return web.links.moved(.emailUndo, token)
        }
        return try await linked(nil, request, context) {
            try web.pages.render("account/email/undo", try values($0, $1), context)
        }
    }

    @Sendable private func sendCode(_ request: Request, _ context: AppContext) async throws -> Response {
        try await linked(try await Form(request), request, context) { token, undo in
            let page = FormPage(web: web, template: "account/email/undo", ids: [:], otherwise: "undo-send")
            return try await page.answer(request, context) {
                let before = web.flows.flow(.emailUndo, in: request)
                let flow = try await rule.request(undo, replaces: before, visitor: context.visitor)
                return seeOther("/account/email/undo/verify").setting(web.flows.set(.emailUndo, flow, in: request))
            } again: { _ in
                try values(token, undo)
            }
        }
    }

    /// What `answer` says of a link and what it would undo; without a link, or after its end, a
    /// page that says so.
    private func linked(
        _ form: Form?, _ request: Request, _ context: AppContext,
        _ answer: (Token, EmailUndoLink) async throws -> Response
    ) async throws -> Response {
        guard let token = web.links.token(.emailUndo, form, in: request) else {
            return try web.sayCookieMissing(.linkLost, on: Web.afterUndo(context), request, context)
        }
        guard let undo = try await rule.pending(token) else {
            return try web.leaveUndo(.undoGone, context).setting(web.links.clear())
        }
        return try await answer(token, undo)
    }

    private func values(_ token: Token, _ undo: EmailUndoLink) throws -> Values {
        ["link": try web.links.sealed(.emailUndo, token.text), "masked": undo.email.masked]
    }
}

extension Web {
    func leaveUndo(_ notice: Notice, _ context: AppContext) throws -> Response {
        try say(notice, on: Self.afterUndo(context))
    }

    /// A session that is open here goes on: an old link changes nothing.
    fileprivate static func afterUndo(_ context: AppContext) -> String {
        context.session == nil ? "/login" : "/account"
    }
}

/// `/account/email/undo/verify` and `/account/email/undo/resend`: the code from the former mailbox,
/// and a new password.
struct EmailUndoVerifyRoutes: CodePage {
    let rule: EmailUndo
    let sessions: Sessions
    let web: Web
    let place = CodePlace(
        kind: .emailUndo, path: "/account/email/undo/verify", resend: "/account/email/undo/resend",
        template: "account/email/undo-verify",
        ids: [
            "code": "undo-code", "password": "new-password", "password_confirmation": "undo-password-confirmation",
        ])

    func pending(_ request: Request, _ context: AppContext) async throws -> PendingEmailUndo? {
        try await rule.pendingCode(flow(request))
    }

    func values(_ pending: PendingEmailUndo, _ form: Form?, _ context: AppContext) -> Values {
        ["masked": pending.code.email.masked]
    }

    var onward: String { "/login" }

    /// To the page that sends a code, which says so when its link has ended.
    func startOver(_ request: Request, _ context: AppContext) throws -> Response {
        seeOther(LinkKind.emailUndo.page).setting(forgotten(request))
    }

    func beginning(_ pending: PendingEmailUndo) -> (url: String, values: Values) {
        (LinkKind.emailUndo.page, [:])
    }

    /// Every session of the account has ended; one of another account that is open here ends as
    /// well.
    func redeem(
        _ pending: PendingEmailUndo, _ form: Form, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let (outcome, kept) = try await rule.redeem(pending, CodeAndPassword(form), visitor: context.visitor)
        let over = [forgotten(request), web.links.clear()]
        guard let notice = outcome.notice else {
            return over.reduce(try web.leaveUndo(.undoGone, context)) { $0.setting($1) }
        }
        var response = try web.say(Flash(notice, kept: kept), on: "/login").setting(web.cookies.clear(.session))
        if let record = context.record {
            if record.account.id != pending.undo.accountID {
                try await sessions.signOut(record, visitor: context.visitor)
            }
            response = response.clearingSiteData
        }
        let answer = over.reduce(response) { $0.setting($1) }
        // Where it is locked, the address is another account's.
        if outcome == .locked { return answer }
        return answer.setting(web.cookies, rule.flows.browsers.cookie(of: context.visitor, adding: pending.code.email))
    }

    func resend(_ pending: PendingEmailUndo, _ context: AppContext) async throws -> Bool {
        try await rule.resend(pending, visitor: context.visitor)
    }
}

extension EmailUndoOutcome {
    fileprivate var notice: Notice? {
        switch self {
        case .gone: nil
        case .locked: .undoTaken
        case .restored: .emailRestored
        case .restoredDisabled: .emailRestoredDisabled
        }
    }
}
