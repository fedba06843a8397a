import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST sign-up`, `POST sign-up/verify`, `POST sign-up/resend`.
struct SignupAPI {
    let signup: Signup

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/sign-up") { request, context in
            let body = try await JSONBody(request)
            let form = SignupForm(
                displayName: try body.text("name"), email: try body.text("email"),
                password: try body.text("password"), passwordConfirmation: nil, acceptsTerms: try body.acceptsTerms(),
                returnTo: nil, remember: true
            )
            switch try await signup.request(form, replaces: nil, visitor: context.visitor) {
            case .codeSent(let flow):
                return try JSONReply.of(JSONObject.flow(flow, status: "verification_required"), status: .accepted)
            case .signedIn(let signIn):
                return try JSONReply.of(JSONObject.signedIn(signIn), status: .created)
            }
        }
        routes.post("/api/auth/sign-up/verify") { request, context in
            let body = try await JSONBody(request)
            let code = try body.text("code")
            guard signup.isOpen else { throw Refusal.signupClosed }
            guard let pending = try await signup.pending(body.flow()) else { throw Refusal.flowOver }
            let signIn = try await signup.verify(pending, typed: code, visitor: context.visitor)
            return try JSONReply.of(JSONObject.signedIn(signIn))
        }
        routes.post("/api/auth/sign-up/resend") { request, context in
            guard signup.isOpen else { throw Refusal.signupClosed }
            guard let pending = try await signup.pending(try await JSONBody(request).flow()),
                try await signup.resend(pending, visitor: context.visitor)
            else { throw Refusal.flowOver }
            return JSONReply.nothing
        }
    }
}
