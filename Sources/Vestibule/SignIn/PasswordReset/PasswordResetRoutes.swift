import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/reset` and, for the link of a mail the operator caused, `/reset/continue`.
struct PasswordResetRoutes: LinkedPage {
    let reset: PasswordReset
    let sessions: Sessions
    let web: Web
    let kind = LinkKind.mailedReset
    let over = Notice.flowExpired

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/reset") { request, context in
            let typed = web.typed.typed(in: request)?.email ?? ""
            let email = typed.isEmpty ? context.record?.account.email.typed ?? "" : typed
            var values = LinkValues.of(request, web)
            guard !values.isEmpty || !email.isEmpty else { return try web.pages.shared("reset", request, context) }
            values["email"] = ["value": email] as Values
            values["is_first"] = try await isFirst(context)
            return try web.pages.render("reset", values, context)
        }
        routes.post("/reset") { request, context in
            let form = try await Form(request)
            let (email, wish) = (form["email"], web.returnTo.granted(form["return_to"]))
            let page = FormPage(
                web: web, template: "reset", ids: ["email": "reset-email"], otherwise: "reset-email")
            return try await page.answer(request, context) {
                let flow = try await reset.request(
                    email, returnTo: wish, replaces: web.flows.flow(.reset, in: request), visitor: context.visitor)
                return seeOther("/reset/verify").setting(web.flows.set(.reset, flow, in: request))
                    .setting(try web.typed.set(Typed(email: email, returnTo: wish)))
            } again: { refused in
                try await LinkValues.of(wish, web).merging([
                    "email": refused.field("email", value: email), "is_first": isFirst(context),
                ]) { $1 }
            }
        }
        routes.get("/reset/continue", use: showContinue)
        routes.post("/reset/continue", use: carryOn)
        PasswordResetVerifyRoutes(reset: reset, sessions: sessions, web: web).add(to: routes)
    }

    /// Whether somebody who is signed in chooses a first password.
    private func isFirst(_ context: AppContext) async throws -> Bool {
        guard let account = context.record?.account else { return false }
        return try await !reset.hasPassword(account)
    }

    /// Opened from a mail the operator caused; the flow is this browser's only once its owner says
    /// so.
    @Sendable private func showContinue(_ request: Request, _ context: AppContext) async throws -> Response {
        if let presented = request.uri.queryParameters.get("flow") { return try await open(presented, context) }
        return try await linked(nil, request, context) { flow, _ in
            try web.pages.render("reset/continue", ["link": try web.links.sealed(kind, flow)], context)
        }
    }

    @Sendable private func carryOn(_ request: Request, _ context: AppContext) async throws -> Response {
        try await linked(try await Form(request), request, context) { _, mailed in
            var notice = Notice.choosePassword
            if !reset.flows.codes.isAlive(mailed.pending.code) {
                guard try await reset.resend(mailed.pending, visitor: context.visitor) else {
                    return try sayOver(context)
                }
                notice = .newCode
            }
            return try web.say(notice, on: "/reset/verify")
                .setting(web.flows.set(.reset, mailed.flow, in: request)).setting(web.links.clear())
        }
    }

    /// A flow that an operator started and that may still be finished. Those begun here stay in the
    /// browser they began in.
    func pending(_ text: String) async throws -> (flow: Token, pending: PendingReset)? {
        guard let flow = Token(presented: text), let pending = try await reset.pending(flow), pending.isMailed,
            !pending.code.isSpent, !pending.isProved
        else { return nil }
        return (flow, pending)
    }

    func elsewhere(_ context: AppContext) -> String { "/reset" }
}

extension Notice {
    static let passwordChanged = Notice("password_changed", .saved)
    static let choosePassword = Notice("choose_password", .note)
}

extension LinkKind {
    /// Of a mail that the operator caused.
    static let mailedReset = LinkKind(name: "reset", page: "/reset/continue")
}
