import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// `/login`: the form, and the session it starts.
struct LoginRoutes {
    let login: Login
    let web: Web
    private static let ids = ["email": "login-email", "password": "current-password"]

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get("/login", use: show)
        routes.post("/login", use: submit)
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let typed = web.typed.typed(in: request)
        guard request.uri.query != nil || context.session != nil || typed != nil else {
            return try web.pages.shared("login", request, context)
        }
        let wish = request.uri.queryParameters.get("return_to")
        if let record = context.session { return seeOther(web.home(record.session, wish: wish)) }
        var values = LinkValues.of(wish, web)
        values["email"] = ["value": typed?.email ?? ""] as Values
        return try web.pages.render("login", values, context)
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        let form = Login.Form(
            email: fields["email"], password: fields["password"], remember: fields["remember"] == "on",
            returnTo: fields["return_to"]
        )
        do {
            return web.signedIn(try await login.signIn(form, visitor: context.visitor), request)
        } catch {
            let refused = RefusedForm(error, ids: Self.ids, otherwise: "login-email", web, request, context)
            guard let refused else { throw error }
            return try page(form, refused, context)
        }
    }

    private func page(_ form: Login.Form, _ refused: RefusedForm, _ context: AppContext) throws -> Response {
        var values = LinkValues.of(form.returnTo, web)
        values["refused"] = refused.contains(.credentialsWrong)
        values["email"] = refused.field("email", value: form.email)
        values["password"] = refused.field("password")
        values["answered"] = true
        values["remember"] = form.remember
        return try refused.page("login", values, context)
    }
}

extension Web {
    /// Where somebody who is signed in goes: raised terms come first, wherever that is.
    func home(_ session: Session, wish: String?) -> String {
        guard session.awaitsTerms else { return returnTo.destination(wish) }
        let query = LinkValues.of(returnTo.destination(wish), self)["return_to_encoded"] as? String
        return "/account/terms" + (query.map { "?return_to=\($0)" } ?? "")
    }

    /// 303 with the new session's cookie, and the cookie by which this browser is known from now
    /// on. What was typed on the way is forgotten.
    func signedIn(_ signIn: SignIn, _ request: Request) -> Response {
        let destination = home(signIn.session, wish: signIn.destination)
        let lifetime = signIn.session.expiresAt.timeIntervalSince(signIn.session.createdAt)
        let maxAge = signIn.session.remembered ? Int(lifetime) : nil
        return seeOther(destination).setting(cookies.set(.session, signIn.token.text, maxAge: maxAge))
            .setting(cookies, signIn.device).forgettingTyped(request, self)
    }
}
