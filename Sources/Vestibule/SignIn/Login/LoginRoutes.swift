import HTTPTypes
import Hummingbird
import Serving

/// `/login`: the form, and the session it starts.
struct LoginRoutes {
    let login: Login
    let web: Web
    private static let ids = ["email": "login-email", "password": "current-password"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/login") { request, context in
            let typed = web.typed.typed(in: request)
            let isKnown = context.visitor.device != nil
            guard request.uri.query != nil || context.session != nil || typed != nil || isKnown else {
                return try web.pages.shared("login", request, context)
            }
            let wish = request.uri.queryParameters.get("return_to")
            // `again`: an application wants a new sign-in, which takes the place of the session.
            if let record = context.record, request.uri.queryParameters.get("again") == nil {
                return try web.home(record.session, wish: wish)
            }
            var values = LinkValues.of(wish, web)
            values["email"] = ["value": typed?.email ?? ""] as Values
            values["known"] = isKnown
            if let remembers = typed?.remembers { values.merge(["answered": true, "remember": remembers]) { $1 } }
            return try web.pages.render("login", values, context)
        }
        routes.post("/login") { request, context in
            let fields = try await Form(request)
            let form = Login.Form(
                email: fields["email"], password: fields["password"], remember: fields["remember"] == "on",
                returnTo: fields["return_to"]
            )
            do {
                return try web.answer(await login.signIn(form, visitor: context.visitor), request)
            } catch {
                let refused = RefusedForm(error, ids: Self.ids, otherwise: "login-email", web, request, context)
                guard let refused else { throw error }
                return try page(form, refused, context)
            }
        }
    }

    private func page(_ form: Login.Form, _ refused: RefusedForm, _ context: AppContext) throws -> Response {
        var values = LinkValues.of(form.returnTo, web)
        values["refused"] = refused.contains(.credentialsWrong)
        values["email"] = refused.field("email", value: form.email)
        values["password"] = refused.field("password")
        values["known"] = context.visitor.device != nil
        values["answered"] = true
        values["remember"] = form.remember
        return try refused.page("login", values, context)
    }
}
