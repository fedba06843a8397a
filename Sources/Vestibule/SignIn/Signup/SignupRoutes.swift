import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/signup`: the form, and what it leads to.
struct SignupRoutes {
    let signup: Signup
    let web: Web
    private static let ids = [
        "display_name": "signup-display-name", "email": "signup-email", "password": "new-password",
        "password_confirmation": "signup-password-confirmation", "terms": "signup-terms",
    ]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/signup") { request, context in
            let wish = request.uri.queryParameters.get("return_to")
            if let record = context.record { return try web.home(record.session, wish: wish) }
            guard signup.isOpen else { return try closed(wish, context) }
            let typed = web.typed.typed(in: request)
            guard request.uri.query != nil || typed != nil else {
                return try web.pages.shared("signup", request, context)
            }
            var values = LinkValues.of(wish, web)
            values["email"] = ["value": typed?.email ?? ""] as Values
            values["display_name"] = ["value": typed?.displayName ?? ""] as Values
            values["terms"] = ["checked": typed?.acceptsTerms ?? false] as Values
            if let remembers = typed?.remembers { values.merge(["answered": true, "remember": remembers]) { $1 } }
            return try web.pages.render("signup", values, context)
        }
        routes.post("/signup", use: submit)
        SignupVerifyRoutes(signup: signup, web: web).add(to: routes)
    }

    /// The page without its form, which leads to the login.
    private func closed(_ wish: String?, _ context: AppContext) throws -> Response {
        let values = LinkValues.of(wish, web).merging(["kept_form": false]) { $1 }
        return try web.pages.render("signup", values, context, status: Refusal.signupClosed.answer.page)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        let form = SignupForm(
            displayName: fields["display_name"], email: fields["email"], password: fields["password"],
            passwordConfirmation: fields["password_confirmation"], acceptsTerms: fields["terms"] == "accepted",
            returnTo: fields["return_to"], remember: fields["remember"] == "on"
        )
        guard signup.isOpen else { return try closed(form.returnTo, context) }
        let page = FormPage(web: web, template: "signup", ids: Self.ids, otherwise: "signup-email")
        return try await page.answer(request, context) {
            let before = web.flows.flow(.signup, in: request)
            switch try await signup.request(form, replaces: before, visitor: context.visitor) {
            case .codeSent(let flow):
                let typed = Typed(
                    email: form.email, displayName: form.displayName, returnTo: web.returnTo.granted(form.returnTo))
                return seeOther("/signup/verify").setting(web.flows.set(.signup, flow, in: request))
                    .setting(try web.typed.set(typed))
            case .signedIn(let signIn):
                return try web.adding(.accountReady(signIn.account), to: web.signedIn(signIn, request))
            }
        } again: { refused in
            var values = LinkValues.of(form.returnTo, web)
            values["display_name"] = refused.field("display_name", value: form.displayName)
            values["email"] = refused.field("email", value: form.email)
            values["password"] = refused.field("password")
            values["password_confirmation"] = refused.field("password_confirmation")
            values["terms"] = refused.field("terms").merging(["checked": form.acceptsTerms]) { $1 }
            values["answered"] = true
            values["remember"] = form.remember
            return values
        }
    }
}

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

    var onward: String { place.path }

    func startOver(_ request: Request, _ context: AppContext) throws -> Response {
        // Perhaps the same code was sent twice. Then the next request brings the cookies of the
        // first answer, which tell what came of it.
        guard request.method == .get || flow(request) == nil else { return seeOther(onward) }
        return try web.startOver(.signup, at: "/signup", request, context)
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
        let response = try web.signedIn(signIn, request).setting(forgotten(request))
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
