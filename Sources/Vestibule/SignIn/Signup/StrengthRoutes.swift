import Essentials
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PasswordHashing
import Serving

/// `POST /signup/strength`: the server's own estimate for the meter, so that page and policy never
/// disagree. Nothing is stored, nothing is logged.
struct StrengthRoutes {
    let judge: PasswordJudge
    let web: Web

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/signup/strength") { request, context in
            let form = try await Form(request)
            let judged = try await judge.assessment(
                of: Password(form["password"]), email: form["email"], displayName: form["display_name"],
                client: context.visitor.client, now: web.now()
            )
            let answer: JSONObject = [
                "score": judged.score, "label": web.pages.sentence("strength.\(judged.score)", context),
                "acceptable": judged.refusal == nil,
                "hint": judged.refusal.map { web.pages.refusal(.password($0), now: web.now(), context) },
            ]
            let body = ByteBuffer(bytes: try JSONEncoder().encode(answer))
            return Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
        }
    }
}
