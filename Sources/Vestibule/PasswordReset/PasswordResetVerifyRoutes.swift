import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/reset/verify`: the code, then the new password, or both at once; `/reset/resend`.
struct PasswordResetVerifyRoutes {
    let reset: PasswordReset
    let sessions: Sessions
    let web: Web
    private static let ids = [
        "code": "reset-code", "password": "new-password", "password_confirmation": "reset-password-confirmation",
    ]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/reset/verify", use: show)
        routes.post("/reset/verify", use: submit)
        routes.post("/reset/resend", use: resend)
        // A refused request for another code is shown at this URL: reloading it or changing the
        // language leads back.
        routes.get("/reset/resend") { _, _ in seeOther("/reset/verify") }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let pending = try await pending(request) else { return try startOver(request, context) }
        guard pending.isProved || !pending.isSpent else {
            return try web.spent(start(pending), with: links(pending), context)
        }
        var values = shown(pending, context)
        if !pending.isProved { values["notice"] = web.pages.sentence("notice.code_sent", context) }
        return try web.pages.render("reset/verify", values, context)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        guard let pending = try await pending(request) else { return try startOver(request, context) }
        do {
            guard !fields.holds("password") else { return try await redeem(pending, fields, request, context) }
            // Another tab was first.
            guard !pending.isProved else { return seeOther("/reset/verify") }
            let flow = try await reset.prove(pending, typed: fields["code"], visitor: context.visitor)
            return seeOther("/reset/verify").setting(web.flows.set(.reset, flow, in: request))
        } catch {
            return try await page(error, pending, fields, request, context)
        }
    }

    private func redeem(
        _ pending: PendingReset, _ fields: Form, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let form = PasswordReset.Form(
            code: fields["code"], password: fields["password"], passwordConfirmation: fields["password_confirmation"]
        )
        let (device, ways) = try await reset.redeem(pending, form, visitor: context.visitor)
        try await signOut(unlessOf: pending.emailKey, context)
        let login = web.link("/login", returnTo: pending.returnTo)
        return try web.say(Flash(.passwordChanged, ways: ways, providers: web.providers), on: login)
            .setting(web.flows.set(.reset, nil, in: request)).setting(web.cookies.clear(.session))
            .setting(try web.typed.set(Typed(email: pending.email))).setting(web.cookies, device)
    }

    @Sendable private func resend(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        guard let pending = try await pending(request) else { return try startOver(request, context) }
        guard !pending.isProved, !pending.isSpent else { return seeOther("/reset/verify") }
        do {
            guard try await reset.resend(pending, visitor: context.visitor) else { return seeOther("/reset/verify") }
            return try web.say(.codeSentAgain, on: "/reset/verify")
        } catch {
            return try await page(error, pending, fields, request, context)
        }
    }

    /// Somebody else may be signed in here: that session is not only forgotten. Those of the
    /// account itself have ended.
    private func signOut(unlessOf emailKey: String, _ context: AppContext) async throws {
        guard let token = context.sessionToken, let other = context.session,
            EmailAddress(other.account.email)?.key != emailKey
        else { return }
        try await sessions.end(token, of: other, visitor: context.visitor)
    }

    private func pending(_ request: Request) async throws -> PendingReset? {
        try await reset.pending(web.flows.flow(.reset, in: request))
    }

    private func startOver(_ request: Request, _ context: AppContext) throws -> Response {
        try web.startOver(.reset, at: "/reset", request, context)
    }

    private func links(_ pending: PendingReset) -> Values {
        LinkValues.of(pending.returnTo, web)
    }

    private func start(_ pending: PendingReset) -> String {
        web.link("/reset", returnTo: pending.returnTo)
    }

    /// The address is shown whole to the browser that typed it, and to one that has proved the
    /// mailbox.
    private func shown(_ pending: PendingReset, atOnce: Bool = false, _ context: AppContext) -> Values {
        let isWhole = pending.isProved || !pending.isMailed
        let values: Values = [
            "email": isWhole ? pending.email : EmailAddress(pending.email)?.masked ?? "",
            "asks_code": !pending.isProved, "asks_password": pending.isProved || atOnce,
        ]
        return values.merging(links(pending)) { $1 }.merging(web.tries(pending, context)) { $1 }
    }

    private func page(
        _ error: any Error, _ pending: PendingReset, _ fields: Form, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        guard let refused = RefusedForm(error, ids: Self.ids, otherwise: "reset-code", web, request, context) else {
            throw error
        }
        if pending.isProved, refused.contains(.codeWrong) { return try startOver(request, context) }
        // It may have been the last try; or the same code was sent twice, and the first has moved
        // the flow on.
        guard let after = try await self.pending(request) else { return seeOther("/reset/verify") }
        if !after.isProved, after.isSpent {
            return try web.spent(error, start(pending), with: links(pending), request, context)
        }
        var values = shown(after, atOnce: fields.holds("password"), context)
        values["code"] = refused.field("code", value: fields["code"])
        for name in ["password", "password_confirmation"] { values[name] = refused.field(name) }
        return try refused.page("reset/verify", values, context)
    }
}
