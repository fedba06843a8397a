import Essentials
import Hummingbird
import PasswordHashing
import Serving

/// `POST password-strength`: as `StrengthRoutes`, in English.
struct StrengthAPI {
    let judge: PasswordJudge
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/password-strength") { request, context in
            let body = try await JSONBody(request)
            var context = context
            context.visitor.locale = "en"
            return try JSONReply.of(
                try await StrengthAnswer(judge: judge, web: web).json(
                    Password(try body.text("password")), email: try body.textIfSent("email") ?? "",
                    displayName: try body.textIfSent("name") ?? "", context))
        }
    }
}
