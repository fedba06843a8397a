import Essentials
import Hummingbird
import PasswordHashing
import Serving

/// `POST /signup/strength`: what the meter shows.
struct StrengthRoutes {
    let judge: PasswordJudge
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/signup/strength") { request, context in
            let form = try await Form(request)
            return try JSONReply.of(
                try await StrengthAnswer(judge: judge, web: web).json(
                    Password(form["password"]), email: form["email"], displayName: form["display_name"], context))
        }
    }
}
