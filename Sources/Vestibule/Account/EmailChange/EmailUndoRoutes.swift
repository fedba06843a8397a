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
                return try gone(context).withoutReferrer
            }
            return web.links.moved(.emailUndo, token)
        }
        switch try await link(request, context) {
        case .elsewhere(let response): return response
        case .here(let undo): return try web.pages.render("account/email/undo", values(undo), context)
        }
    }

    @Sendable private func sendCode(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Form(request)
        switch try await link(request, context) {
        case .elsewhere(let response): return response
        case .here(let undo):
            do {
                let before = web.flows.flow(.emailUndo, in: request)
                let flow = try await rule.request(undo, replaces: before, visitor: context.visitor)
                return seeOther("/account/email/undo/verify").setting(web.flows.set(.emailUndo, flow, in: request))
            } catch {
                let refused = RefusedForm(error, ids: [:], otherwise: "undo-send", web, request, context)
                guard let refused else { throw error }
                return try refused.page("account/email/undo", values(undo), context)
            }
        }
    }

    private enum Link {
        case here(EmailUndoLink)
        case elsewhere(Response)
    }

    /// What the link this browser opened would undo.
    private func link(_ request: Request, _ context: AppContext) async throws -> Link {
        guard let token = web.links.token(.emailUndo, in: request) else {
            return .elsewhere(try web.leaveUndo(.linkLost, context))
        }
        guard let undo = try await rule.pending(token) else {
            return .elsewhere(try gone(context).setting(web.links.clear()))
        }
        return .here(undo)
    }

    private func values(_ undo: EmailUndoLink) -> Values {
        ["masked": undo.email.masked]
    }

    private func gone(_ context: AppContext) throws -> Response {
        try web.leaveUndo(.undoGone, context)
    }
}

extension Web {
    /// A session that is open here goes on: an old link changes nothing.
    func leaveUndo(_ notice: Notice, _ context: AppContext) throws -> Response {
        try say(notice, on: context.session == nil ? "/login" : "/account")
    }
}
