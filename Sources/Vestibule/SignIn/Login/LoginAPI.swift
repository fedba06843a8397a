import Hummingbird
import Serving

/// `POST sign-in`.
struct LoginAPI {
    let login: Login
    let problems: Problems

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/sign-in") { request, context in
            let body = try await JSONBody(request)
            let form = Login.Form(
                email: try body.text("email"), password: try body.text("password"), remember: true, returnTo: nil
            )
            return try problems.answer(await login.signIn(form, visitor: context.visitor), context)
        }
    }
}
