import Essentials
import HTTPTypes
import Hummingbird
import Serving

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
        let outcome = try await rule.redeem(pending, CodeAndPassword(form), visitor: context.visitor)
        let over = [forgotten(request), web.links.clear()]
        guard let notice = outcome.notice else {
            return over.reduce(try web.leaveUndo(.undoGone, context)) { $0.setting($1) }
        }
        if let other = context.record, other.account.id != pending.undo.accountID {
            try await sessions.signOut(other, visitor: context.visitor)
        }
        let response = try web.say(notice, on: "/login").setting(web.cookies.clear(.session))
        return over.reduce(response) { $0.setting($1) }
    }

    func resend(_ pending: PendingEmailUndo, _ context: AppContext) async throws -> Bool {
        try await rule.resend(pending, visitor: context.visitor)
    }
}

extension EmailUndoOutcome {
    /// What the login page says; nil when nothing was done.
    fileprivate var notice: Notice? {
        switch self {
        case .gone: nil
        case .locked: .undoTaken
        case .restored: .emailRestored
        }
    }
}
