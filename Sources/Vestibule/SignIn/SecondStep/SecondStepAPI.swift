import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST sign-in/second`.
struct SecondStepAPI {
    let step: SecondStep
    let challenges: PasskeyChallenges

    func add(to routes: some RouterMethods<AppContext>) {
        routes.post("/api/auth/sign-in/second") { request, context in
            let body = try await JSONBody(request)
            guard let flow = try body.flow(), let waiting = try await step.pending(flow) else {
                throw Refusal.secondStepOver
            }
            let form = SecondStep.Form(attempt: try body.attempt(challenges, for: .signIn), trusts: false)
            do {
                let signIn = try await step.prove(form, for: waiting, visitor: context.visitor)
                return try JSONReply.of(JSONObject.signedIn(signIn))
            } catch let refusal as Refusal where refusal == form.attempt.refusal && waiting.login.isAtLastTry {
                throw Refusal.secondStepOver
            } catch is Superseded {
                throw Refusal.secondStepOver
            }
        }
    }
}
