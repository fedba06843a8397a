import HTTPTypes
import Hummingbird
import Serving

/// `POST sign-in`.
struct SignInAPI {
    let login: Login

    func add(to routes: Routes) {
        routes.post("/api/auth/sign-in", signIn)
    }

    @Sendable private func signIn(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await JSONBody(request)
        let form = Login.Form(
            email: try body.text("email"), password: try body.text("password"), remember: true, returnTo: nil
        )
        return try JSONReply.of(SessionAnswer(try await login.signIn(form, visitor: context.visitor)))
    }
}
