import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `POST /signup/strength`: the server's own estimate for the meter, so that page and policy never disagree. Nothing is
/// stored, nothing is logged.
struct StrengthRoutes {
    let needs: Needs
    let web: Web
    let limit = MemoryLimit(amount: 120, period: .seconds(60))

    /// What the meter shows.
    private struct Answer: Encodable {
        let score: Int
        let label: String
        let acceptable: Bool
        let hint: String?
    }

    func add(to routes: Routes) {
        routes.post("/signup/strength", estimate)
    }

    @Sendable private func estimate(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Form(request)
        try limit.take(context.visitor.client.bucket, now: needs.now())
        let password = Password(form["password"])
        let policy = needs.passwordPolicy
        let (strength, refusal) = try await offEventLoop {
            (
                policy.strength(of: password, email: form["email"], displayName: form["display_name"]),
                policy.judge(password, email: form["email"], displayName: form["display_name"])
            )
        }
        let score = refusal == nil ? max(2, strength.score) : min(1, strength.score)
        let answer = Answer(
            score: score, label: web.pages.sentence("strength.\(score)", context), acceptable: refusal == nil,
            hint: refusal.map { web.pages.refusal(.password($0), now: needs.now(), context) }
        )
        let body = ByteBuffer(bytes: try JSONEncoder().encode(answer))
        return Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
    }
}
