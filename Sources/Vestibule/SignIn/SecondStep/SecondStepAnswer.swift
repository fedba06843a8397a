import Essentials
import Hummingbird
import Serving

/// How the API answers a right first step.
struct SecondStepAnswer: Sendable {
    /// What the codes of problems mean.
    let description: String
    let pages: Pages

    /// The session, or 403 with the flow of the second step (RFC 9457, section 3.2).
    func answer(_ outcome: SignInOutcome, _ context: AppContext) throws -> Response {
        switch outcome {
        case .signedIn(let signIn): return try JSONReply.of(SessionAnswer(signIn))
        case .secondStep(let start):
            var context = context
            context.visitor.locale = "en"
            let code = ProblemCode.secondFactorRequired
            let problem = Problem(
                type: "\(description)#\(code.rawValue)", title: code.title, status: 403,
                detail: pages.sentence("refusal.second_step_needed", context), code: code, errors: nil,
                flow: start.flow.text, methods: start.methods.map(\.rawValue))
            return try JSONReply.of(problem, status: .forbidden, type: "application/problem+json")
        }
    }
}
