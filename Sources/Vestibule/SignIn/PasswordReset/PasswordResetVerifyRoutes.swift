import Essentials
import Hummingbird
import Serving

/// `/reset/verify`: the code, then the new password, or both at once; `/reset/resend`.
struct PasswordResetVerifyRoutes: CodePage {
    let reset: PasswordReset
    let sessions: Sessions
    let web: Web
    let place = CodePlace(
        kind: .reset, path: "/reset/verify", resend: "/reset/resend", template: "reset/verify",
        ids: [
            "code": "reset-code", "password": "new-password", "password_confirmation": "reset-password-confirmation",
        ])

    func pending(_ request: Request, _ context: AppContext) async throws -> PendingReset? {
        try await reset.pending(flow(request))
    }

    func awaitsCode(_ pending: PendingReset) -> Bool { !pending.isProved }

    /// The address is shown whole to the browser that typed it, and to one that has proved the
    /// mailbox.
    func values(_ pending: PendingReset, _ form: Form?, _ context: AppContext) -> Values {
        let isWhole = pending.isProved || !pending.isMailed
        let (email, atOnce) = (pending.code.email, form?.holds("password") ?? false)
        let values: Values = [
            "email": isWhole ? email.typed : email.masked,
            "asks_code": !pending.isProved, "asks_password": pending.isProved || atOnce,
        ]
        return values.merging(links(pending)) { $1 }
    }

    func startOver(_ request: Request, _ context: AppContext) throws -> Response {
        try web.startOver(.reset, at: "/reset", request, context)
    }

    func beginning(_ pending: PendingReset) -> (url: String, values: Values) {
        (web.link("/reset", returnTo: pending.returnTo), links(pending))
    }

    func redeem(
        _ pending: PendingReset, _ fields: Form, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        guard !fields.holds("password") else { return try await choose(pending, fields, request, context) }
        // Another tab was first.
        guard !pending.isProved else { return seeOther(place.path) }
        let flow = try await reset.prove(pending, typed: fields["code"], visitor: context.visitor)
        return seeOther(place.path).setting(web.flows.set(.reset, flow, in: request))
    }

    func resend(_ pending: PendingReset, _ context: AppContext) async throws -> Bool {
        try await reset.resend(pending, visitor: context.visitor)
    }

    /// A proof that is refused has ended.
    func answer(
        _ refused: RefusedForm, _ pending: PendingReset, _ request: Request, _ context: AppContext
    ) throws -> Response? {
        pending.isProved && refused.contains(.codeWrong) ? try startOver(request, context) : nil
    }

    /// The code has moved the flow on.
    var onward: String { place.path }

    private func choose(
        _ pending: PendingReset, _ fields: Form, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let (device, ways) = try await reset.redeem(pending, CodeAndPassword(fields), visitor: context.visitor)
        try await signOut(unlessOf: pending.code.email, context)
        let login = web.link("/login", returnTo: pending.returnTo)
        let response = try web.say(Flash(.passwordChanged, ways: ways, providers: reset.providers), on: login)
        return try (context.record == nil ? response : response.clearingSiteData)
            .setting(forgotten(request)).setting(web.cookies.clear(.session))
            .setting(web.typed.set(Typed(email: pending.code.email.typed))).setting(web.cookies, device)
    }

    /// Somebody else may be signed in here: that session is not only forgotten. Those of the
    /// account itself have ended.
    private func signOut(unlessOf email: EmailAddress, _ context: AppContext) async throws {
        guard let other = context.record, other.account.email != email else { return }
        try await sessions.signOut(other, visitor: context.visitor)
    }

    private func links(_ pending: PendingReset) -> Values {
        LinkValues.of(pending.returnTo, web)
    }
}
