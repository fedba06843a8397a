import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/signup/verify`: the code from the mail, another one, or starting over.
struct SignupVerifyRoutes: CodePage {
    let signup: Signup
    let web: Web
    let place = CodePlace(
        kind: .signup, path: "/signup/verify", resend: "/signup/resend", template: "signup/verify",
        ids: ["code": "verify-code"])

    func pending(_ request: Request, _ context: AppContext) async throws -> PendingSignup? {
        try await signup.pending(flow(request))
    }

    /// The browser that has the flow has typed the address.
    func values(_ pending: PendingSignup, _ form: Form?, _ context: AppContext) -> Values {
        links(pending).merging(["email": pending.code.email.typed]) { $1 }
    }

    func startOver(_ request: Request, _ context: AppContext) throws -> Response {
        try web.startOver(.signup, at: "/signup", request, context)
    }

    /// Somebody may come back to the page that said that there is an account.
    func unknown(_ request: Request, _ context: AppContext) throws -> Response {
        guard context.session == nil, let typed = web.typed.typed(in: request), typed.hasAccount else {
            return try startOver(request, context)
        }
        return try web.pages.render("signup/exists", LinkValues.of(typed.returnTo, web), context)
    }

    func beginning(_ pending: PendingSignup) -> (url: String, values: Values) {
        (web.link("/signup", returnTo: pending.returnTo), links(pending))
    }

    func redeem(
        _ pending: PendingSignup, _ form: Form, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let signIn = try await signup.verify(pending, typed: form["code"], visitor: context.visitor)
        let response = web.signedIn(signIn, request).setting(forgotten(request))
        return try web.adding(.accountReady(signIn.account), to: response)
    }

    func resend(_ pending: PendingSignup, _ context: AppContext) async throws -> Bool {
        try await signup.resend(pending, visitor: context.visitor)
    }

    /// The mailbox is proved, and its address has an account.
    func answer(
        _ refused: RefusedForm, _ pending: PendingSignup, _ request: Request, _ context: AppContext
    ) throws -> Response? {
        guard refused.contains(.emailTaken) else { return nil }
        let typed = Typed(
            email: pending.code.email.typed, displayName: pending.displayName, returnTo: pending.returnTo,
            hasAccount: true)
        return try refused.page("signup/exists", links(pending), context)
            .setting(forgotten(request)).setting(try web.typed.set(typed))
    }

    private func links(_ pending: PendingSignup) -> Values {
        LinkValues.of(pending.returnTo, web)
    }
}
