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
        routes.get("/signup", use: show)
        routes.post("/signup", use: submit)
        SignupVerifyRoutes(signup: signup, web: web).add(to: routes)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let wish = request.uri.queryParameters.get("return_to")
        if let record = context.record { return seeOther(web.home(record.session, wish: wish)) }
        guard signup.isOpen else { throw Refusal.signupClosed }
        let typed = web.typed.typed(in: request)
        guard request.uri.query != nil || typed != nil else { return try web.pages.shared("signup", request, context) }
        var values = LinkValues.of(wish, web)
        values["email"] = ["value": typed?.email ?? ""] as Values
        values["display_name"] = ["value": typed?.displayName ?? ""] as Values
        return try web.pages.render("signup", values, context)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        let form = SignupForm(
            displayName: fields["display_name"], email: fields["email"], password: fields["password"],
            passwordConfirmation: fields["password_confirmation"], acceptsTerms: fields["terms"] == "accepted",
            returnTo: fields["return_to"], remember: fields["remember"] == "on"
        )
        do {
            switch try await signup.request(form, visitor: context.visitor) {
            case .codeSent(let flow):
                let typed = Typed(
                    email: form.email, displayName: form.displayName, returnTo: web.returnTo.granted(form.returnTo))
                return seeOther("/signup/verify").setting(web.flows.set(.signup, flow, in: request))
                    .setting(try web.typed.set(typed))
            case .signedIn(let signIn):
                let response = web.signedIn(signIn, request)
                return try web.adding(.accountReady(signIn.account), to: response)
            }
        } catch {
            let refused = RefusedForm(error, ids: Self.ids, otherwise: "signup-email", web, request, context)
            guard let refused, !refused.contains(.signupClosed) else { throw error }
            return try page(form, refused, context)
        }
    }

    private func page(_ form: SignupForm, _ refused: RefusedForm, _ context: AppContext) throws -> Response {
        var values = LinkValues.of(form.returnTo, web)
        values["display_name"] = refused.field("display_name", value: form.displayName)
        values["email"] = refused.field("email", value: form.email)
        values["password"] = refused.field("password")
        values["password_confirmation"] = refused.field("password_confirmation")
        values["terms"] = refused.field("terms").merging(["checked": form.acceptsTerms]) { $1 }
        values["answered"] = true
        values["remember"] = form.remember
        return try refused.page("signup", values, context)
    }
}
