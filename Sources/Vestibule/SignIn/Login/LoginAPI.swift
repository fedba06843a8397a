import HTTPTypes
import Hummingbird
import Serving

/// `POST sign-in`.
struct LoginAPI {
    let login: Login
    let secondStep: SecondStepAnswer

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/sign-in", use: signIn)
    }

    @Sendable private func signIn(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await JSONBody(request)
        let form = Login.Form(
            email: try body.text("email"), password: try body.text("password"), remember: true, returnTo: nil
        )
        return try secondStep.answer(await login.signIn(form, visitor: context.visitor), context)
    }
}
