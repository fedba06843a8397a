import HTTPTypes
import Hummingbird

/// `/account/email/undo`: opened from the mail to the former address; opening it changes nothing.
struct EmailUndoRoutes {
    let rule: EmailUndoRule
    let sessions: Sessions
    let web: Web
    private static let ids = ["password": "new-password", "password_confirmation": "undo-password-confirmation"]

    func add(to routes: Routes) {
        routes.get("/account/email/undo", show)
        routes.post("/account/email/undo", submit)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let token = request.uri.queryParameters.get("token").flatMap(Token.init(presented:))
        guard let token, let undo = try await rule.pending(token) else { return gone(context) }
        return try web.pages.render("account/email/undo", values(undo, token), context)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard let token = Token(presented: form["token"]), let undo = try await rule.pending(token) else {
            return gone(context)
        }
        let new = NewPassword(password: form["password"], confirmation: form["password_confirmation"])
        do {
            switch try await rule.undo(undo, new, visitor: context.visitor) {
            case .gone: return gone(context)
            case .locked: return try await leave(undo, .undoTaken, context)
            case .restored: return try await leave(undo, .emailRestored, context)
            }
        } catch {
            let refused = RefusedForm(error, ids: Self.ids, otherwise: "new-password", web, request, context)
            guard let refused else { throw error }
            var values = values(undo, token)
            for name in Self.ids.keys { values[name] = refused.field(name) }
            return try refused.page("account/email/undo", values, context)
        }
    }

    private func values(_ undo: EmailUndo, _ token: Token) -> Values {
        ["masked": EmailAddress(undo.email)?.masked ?? "", "token": token.text]
    }

    /// Whoever is signed in here stays so: an old link changes nothing.
    private func gone(_ context: AppContext) -> Response {
        seeOther("\(context.session == nil ? "/login" : "/account")?notice=\(Notice.undoGone.rawValue)")
    }

    /// Every session of the account has ended; one of another account that is open here ends as well.
    private func leave(_ undo: EmailUndo, _ notice: Notice, _ context: AppContext) async throws -> Response {
        if let token = context.sessionToken, let other = context.session, other.account.id != undo.accountID {
            try await sessions.end(token, of: other, visitor: context.visitor)
        }
        return seeOther("/login?notice=\(notice.rawValue)").setting(web.cookies.clear(.session))
    }
}
