import Essentials
import Foundation
import Hummingbird
import PasswordHashing
import Serving

/// `POST /signup/strength` and `POST password-strength` of the API, in English: the server's own
/// estimate, so that meter and policy never disagree. Nothing is stored, nothing is logged.
struct StrengthRoutes {
    let judge: PasswordJudge
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/signup/strength") { request, context in
            let form = try await Form(request)
            return try await answer(form["password"], form["email"], form["display_name"], context)
        }
        routes.post("/api/auth/password-strength") { request, context in
            let body = try await JSONBody(request)
            var context = context
            context.visitor.locale = "en"
            return try await answer(
                body.text("password"), body.textIfSent("email") ?? "", body.textIfSent("name") ?? "", context)
        }
    }

    /// The score, its label in the visitor's language, and what to change if the password would be
    /// refused.
    private func answer(
        _ password: String, _ email: String, _ displayName: String, _ context: AppContext
    ) async throws -> Response {
        let judged = try await judge.assessment(
            of: Password(password), email: email, displayName: displayName, client: context.visitor.client,
            now: web.now())
        let answer: JSONObject = [
            "score": judged.score, "label": web.pages.sentence("strength.\(judged.score)", context),
            "acceptable": judged.refusal == nil,
            "hint": judged.refusal.map { web.pages.refusal(.password($0), now: web.now(), context) },
        ]
        return try JSONReply.of(answer)
    }
}
