import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/signup/verify`: the code from the mail, another one, or starting over.
struct SignupVerifyRoutes {
    let signup: Signup
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/signup/verify", use: show)
        routes.post("/signup/verify", use: submit)
        routes.post("/signup/resend", use: resend)
        // A refused request for another code is shown at this URL: reloading it or changing the language leads back.
        routes.get("/signup/resend") { _, _ in seeOther("/signup/verify") }
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let pending = try await pending(request) else {
            guard context.session == nil, let typed = web.typed.typed(in: request), typed.hasAccount else {
                return try startOver(request, context)
            }
            return try web.pages.render("signup/exists", LinkValues.of(typed.returnTo, web), context)
        }
        guard !pending.isSpent else { return try web.spent(start(pending), with: links(pending), context) }
        var values = shown(pending, context)
        values["notice"] = web.pages.sentence("notice.code_sent", context)
        return try web.pages.render("signup/verify", values, context)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        guard let pending = try await pending(request) else { return try startOver(request, context) }
        do {
            let signIn = try await signup.verify(pending, typed: form["code"], visitor: context.visitor)
            let response = web.signedIn(signIn, request).setting(web.flows.set(.signup, nil, in: request))
            return try web.adding(.accountReady(signIn.account), to: response)
        } catch {
            return try await page(error, pending, code: form["code"], request, context)
        }
    }

    @Sendable private func resend(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await Form(request)
        guard let pending = try await pending(request) else { return try startOver(request, context) }
        guard !pending.isSpent else { return seeOther("/signup/verify") }
        do {
            guard try await signup.resend(pending, visitor: context.visitor) else { return seeOther("/signup/verify") }
            return try web.say(.codeSentAgain, on: "/signup/verify")
        } catch {
            return try await page(error, pending, request, context)
        }
    }

    private func pending(_ request: Request) async throws -> PendingSignup? {
        try await signup.pending(web.flows.flow(.signup, in: request))
    }

    private func startOver(_ request: Request, _ context: AppContext) throws -> Response {
        try web.startOver(.signup, at: "/signup", request, context)
    }

    private func links(_ pending: PendingSignup) -> Values {
        LinkValues.of(pending.returnTo, web)
    }

    private func start(_ pending: PendingSignup) -> String {
        web.link("/signup", returnTo: pending.returnTo)
    }

    /// The browser that has the flow has typed the address.
    private func shown(_ pending: PendingSignup, _ context: AppContext) -> Values {
        links(pending).merging(web.tries(pending, context)) { $1 }
            .merging(["email": pending.email]) { $1 }
    }

    private func page(
        _ error: any Error, _ pending: PendingSignup, code: String? = nil, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let ids = ["code": "verify-code"]
        // It may have been the last try.
        let after = try await self.pending(request) ?? pending
        guard let refused = RefusedForm(error, ids: ids, otherwise: "verify-code", web, request, context) else {
            throw error
        }
        if refused.contains(.emailTaken) { return try taken(refused, pending, request, context) }
        if after.isSpent { return try web.spent(error, start(pending), with: links(pending), request, context) }
        var values = shown(after, context)
        values["code"] = refused.field("code", value: code)
        return try refused.page("signup/verify", values, context)
    }

    private func taken(
        _ refused: RefusedForm, _ pending: PendingSignup, _ request: Request, _ context: AppContext
    ) throws -> Response {
        let typed = Typed(
            email: pending.email, displayName: pending.displayName, returnTo: pending.returnTo, hasAccount: true)
        return try refused.page("signup/exists", links(pending), context)
            .setting(web.flows.set(.signup, nil, in: request)).setting(try web.typed.set(typed))
    }
}
