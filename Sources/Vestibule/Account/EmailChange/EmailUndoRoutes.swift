import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/account/email/undo`: opened from the mail to the former address. Opening it changes nothing;
/// it asks whether a code may be sent.
struct EmailUndoRoutes: LinkedPage {
    let rule: EmailUndo
    let sessions: Sessions
    let web: Web
    let kind = LinkKind.emailUndo
    let over = Notice.undoGone

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/account/email/undo", use: show)
        routes.post("/account/email/undo", use: sendCode)
        EmailUndoVerifyRoutes(start: self).add(to: routes)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        if let presented = request.uri.queryParameters.get("token") { return try await open(presented, context) }
        return try await linked(nil, request, context) {
            try web.pages.render("account/email/undo", try values($0, $1), context)
        }
    }

    @Sendable private func sendCode(_ request: Request, _ context: AppContext) async throws -> Response {
        try await linked(try await Form(request), request, context) { link, undo in
            let page = FormPage(web: web, template: "account/email/undo", ids: [:], otherwise: "undo-send")
            return try await page.answer(request, context) {
                let before = web.flows.flow(.emailUndo, in: request)
                let flow = try await rule.request(undo, replaces: before, visitor: context.visitor)
                return seeOther("/account/email/undo/verify").setting(web.flows.set(.emailUndo, flow, in: request))
            } again: { _ in
                try values(link, undo)
            }
        }
    }

    func pending(_ text: String) async throws -> EmailUndoLink? {
        try await rule.pending(Token(presented: text))
    }

    /// A session that is open here goes on: an old link changes nothing.
    func elsewhere(_ context: AppContext) -> String {
        context.session == nil ? "/login" : "/account"
    }

    private func values(_ link: String, _ undo: EmailUndoLink) throws -> Values {
        ["link": try web.links.sealed(kind, link), "masked": undo.email.masked]
    }
}

/// `/account/email/undo/verify` and `/account/email/undo/resend`: the code from the former mailbox,
/// and a new password.
struct EmailUndoVerifyRoutes: CodePage {
    let start: EmailUndoRoutes
    var rule: EmailUndo { start.rule }
    var web: Web { start.web }
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
            return over.reduce(try start.sayOver(context)) { $0.setting($1) }
        }
        var response = try web.say(Flash(notice, kept: kept), on: "/login").setting(web.cookies.clear(.session))
        if let record = context.record {
            if record.account.id != pending.undo.accountID {
                try await start.sessions.signOut(record, visitor: context.visitor)
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
