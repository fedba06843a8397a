import Essentials
import Hummingbird
import Serving
import WebAuthn

/// `/login/passkey`: what a passkey signed, which the page's script fills in.
struct PasskeyLoginRoutes {
    let login: PasskeyLogin
    let challenges: PasskeyChallengeCookie
    let web: Web
    private static let path = "/login/passkey"

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post(RouterPath(Self.path), use: submit)
        routes.post("/login/passkey/options", use: options)
        // A refused form is shown at this URL: reloading it or changing the language leads back.
        routes.get(RouterPath(Self.path)) { _, _ in seeOther("/login") }
    }

    @Sendable private func options(_ request: Request, _ context: AppContext) async throws -> Response {
        let (json, sealed) = try login.options()
        return JSONReply.made(json).setting(challenges.set(sealed, in: request))
    }

    @Sendable private func submit(_ request: Request, _ context: AppContext) async throws -> Response {
        let fields = try await Form(request)
        let form = PasskeyLogin.Form(
            response: fields["credential"],
            challenge: challenges.challenge(of: fields["credential"], in: request, for: .signIn),
            remember: fields["remember"] == "on", returnTo: fields["return_to"])
        do {
            let outcome = try await login.signIn(form, visitor: context.visitor)
            return try web.answer(outcome, request).setting(web.cookies.clear(.passkey))
        } catch let refused as PasskeyLogin.Refused {
            return try page(Refusal.passkeyRefused, form, refused, request, context)
        } catch {
            return try page(error, form, nil, request, context)
        }
    }

    /// The login page, which tells the browser of a passkey that nobody has here. Any other that
    /// was refused is named in as many bytes: the size tells no listener which it was.
    private func page(
        _ error: any Error, _ form: PasskeyLogin.Form, _ passkey: PasskeyLogin.Refused?, _ request: Request,
        _ context: AppContext
    ) throws -> Response {
        let refused = RefusedForm(error, ids: [:], otherwise: "login-email", web, request, context)
        guard let refused else { throw error }
        var values = LinkValues.of(form.returnTo, web)
        values["answered"] = true
        values["remember"] = form.remember
        if let passkey, let id = SignedResponse.credential(in: form.response) {
            values["passkey"] =
                [
                    "id": Base64URL.encode(id), "is_unknown": passkey.isUnknown,
                    "rp_id": login.verifier.relyingParty.id,
                ] as Values
        }
        return try refused.page("login", values, context)
    }
}
