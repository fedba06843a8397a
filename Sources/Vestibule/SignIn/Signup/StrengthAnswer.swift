import Essentials
import Foundation
import PasswordHashing
import Serving

/// The server's own estimate, so that meter and policy never disagree. Nothing is stored, nothing
/// is logged.
struct StrengthAnswer {
    let judge: PasswordJudge
    let web: Web

    /// The score, its label in the visitor's language, and what to change if the password would be
    /// refused. Throws as `PasswordJudge.assessment` does.
    func json(
        _ password: Password, email: String, displayName: String, _ context: AppContext
    ) async throws -> JSONObject {
        let judged = try await judge.assessment(
            of: password, email: email, displayName: displayName, client: context.visitor.client, now: web.now())
        return [
            "score": judged.score, "label": web.pages.sentence("strength.\(judged.score)", context),
            "acceptable": judged.refusal == nil,
            "hint": judged.refusal.map { web.pages.refusal(.password($0), now: web.now(), context) },
        ]
    }
}
