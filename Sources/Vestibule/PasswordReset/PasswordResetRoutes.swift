import HTTPTypes
import Hummingbird

/// `/reset`, `/reset/verify`, `/reset/resend`.
struct PasswordResetRoutes {
    let reset: PasswordReset
    let sessions: Sessions
    let web: Web
    private static let ids = [
        "code": "reset-code", "password": "new-password", "password_confirmation": "reset-password-confirmation",
    ]

    func add(to routes: Routes) {
        routes.get("/reset", show)
        routes.post("/reset", request)
        routes.get("/reset/verify", showVerify)
        routes.post("/reset/verify", redeem)
        routes.post("/reset/resend", resend)
        routes.get("/reset/continue", showContinue)
        routes.post("/reset/continue", carryOn)
        // A refused request for another code is shown at this URL: reloading it or changing the language leads back.
        routes.get("/reset/resend") { _, _ in seeOther("/reset/verify") }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let notice = Notice(request) else { return try web.pages.shared("reset", request, context) }
        return try web.pages.render("reset", ["notice": web.pages.sentence(notice.sentenceKey, context)], context)
    }

    @Sendable private func request(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        do {
            let flow = try await reset.request(form["email"], replaces: flow(request), visitor: context.visitor)
            return seeOther("/reset/verify").setting(web.flows.set(.reset, flow, in: request))
        } catch {
            let ids = ["email": "reset-email"]
            let refused = RefusedForm(error, ids: ids, otherwise: "reset-email", web, request, context)
            guard let refused else { throw error }
            return try refused.page("reset", ["email": refused.field("email", value: form["email"])], context)
        }
    }

    @Sendable private func showVerify(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let pending = try await reset.pending(flow(request)), !pending.isSpent else { return startOver(request) }
        var values = shown(pending)
        values["notice"] = web.pages.sentence(Notice(request)?.sentenceKey ?? "notice.code_sent", context)
        return try web.pages.render("reset/verify", values, context)
    }

    @Sendable private func redeem(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        guard let pending = try await reset.pending(flow(request)) else { return startOver(request) }
        let form = PasswordReset.Form(
            code: fields["code"], password: fields["password"], passwordConfirmation: fields["password_confirmation"]
        )
        do {
            let (device, ways) = try await reset.redeem(pending, form, visitor: context.visitor)
            try await signOut(unlessOf: pending.emailKey, context)
            return seeOther("/login?notice=\(Notice.passwordChanged.rawValue)\(ways.query)")
                .setting(web.flows.set(.reset, nil, in: request)).setting(web.cookies.clear(.session))
                .setting(web.cookies, device)
        } catch {
            return try page(error, pending, code: form.code, request, context)
        }
    }

    @Sendable private func resend(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Form(request)
        guard let pending = try await reset.pending(flow(request)) else { return startOver(request) }
        do {
            guard try await reset.resend(pending, visitor: context.visitor) else { return startOver(request) }
            return seeOther("/reset/verify?notice=\(Notice.codeSentAgain.rawValue)")
        } catch {
            return try page(error, pending, request, context)
        }
    }

    /// Opened from a mail the operator caused; the flow is this browser's only once its owner says so.
    @Sendable private func showContinue(_ request: Request, _ context: AppContext) async throws -> Response {
        if let presented = request.uri.queryParameters.get("flow") {
            guard let flow = Token(presented: presented), try await mailed(flow) != nil else {
                // Another flow of this browser goes on.
                return seeOther("/reset?notice=\(Notice.flowExpired.rawValue)").withoutReferrer
            }
            return web.links.moved(.mailedReset, flow)
        }
        guard let flow = web.links.token(.mailedReset, in: request) else { return linkLost() }
        guard try await mailed(flow) != nil else {
            return seeOther("/reset?notice=\(Notice.flowExpired.rawValue)").setting(web.links.clear())
        }
        return try web.pages.render("reset/continue", [:], context)
    }

    @Sendable private func carryOn(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Form(request)
        guard let flow = web.links.token(.mailedReset, in: request) else { return linkLost() }
        guard let pending = try await mailed(flow) else { return startOver(request).setting(web.links.clear()) }
        let notice: Notice
        if reset.needs.isAlive(codeUntil: pending.codeExpiresAt) {
            notice = .choosePassword
        } else {
            guard try await reset.resend(pending, visitor: context.visitor) else { return startOver(request) }
            notice = .newCode
        }
        return seeOther("/reset/verify?notice=\(notice.rawValue)")
            .setting(web.flows.set(.reset, flow, in: request)).setting(web.links.clear())
    }

    private func linkLost() -> Response {
        seeOther("/reset?notice=\(Notice.linkLost.rawValue)")
    }

    /// A flow that an operator started and that may still be finished. Those begun here stay in the browser they began in.
    private func mailed(_ flow: Token) async throws -> PendingReset? {
        try await reset.pending(flow).flatMap { $0.isMailed && !$0.isSpent ? $0 : nil }
    }

    /// Somebody else may be signed in here: that session is not only forgotten. Those of the account itself have ended.
    private func signOut(unlessOf emailKey: String, _ context: AppContext) async throws {
        guard let token = context.sessionToken, let other = context.session,
            EmailAddress(other.account.email)?.key != emailKey
        else { return }
        try await sessions.end(token, of: other, visitor: context.visitor)
    }

    private func flow(_ request: Request) -> Token? {
        web.flows.flow(.reset, in: request)
    }

    private func startOver(_ request: Request) -> Response {
        seeOther("/reset?notice=\(Notice.flowExpired.rawValue)").setting(web.flows.set(.reset, nil, in: request))
    }

    private func shown(_ pending: PendingReset) -> Values {
        ["masked": EmailAddress(pending.email)?.masked ?? ""]
    }

    private func page(
        _ error: any Error, _ pending: PendingReset, code: String? = nil, _ request: Request, _ context: AppContext
    ) throws -> Response {
        guard let refused = RefusedForm(error, ids: Self.ids, otherwise: "reset-code", web, request, context) else {
            throw error
        }
        var values = shown(pending)
        values["spent"] = refused.contains(.flowSpent)
        // A code that was not looked at yet is still good.
        values["code"] = refused.field("code", value: refused.contains(.codeWrong) ? nil : code)
        for name in ["password", "password_confirmation"] { values[name] = refused.field(name) }
        return try refused.page("reset/verify", values, context)
    }
}
