import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST factors/recovery-codes`: new ones, and the session's new token.
struct RecoveryCodesAPI {
    let stepUp: StepUpCalls
    let rule: RecoveryCodes
    let reauthentication: Reauthentication

    func add(to routes: some RouterMethods<AppContext>) {
        routes.signedInCalls().add(middleware: stepUp).post("/api/auth/factors/recovery-codes", use: make)
    }

    @Sendable private func make(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await reauthentication.prove(request, context)
        let (codes, token) = try await rule.make(context.record, context.factors, visitor: context.visitor)
        var answer = JSONObject.signedIn(token, context.session, context.account)
        answer["codes"] = codes.map(\.text)
        return try JSONReply.of(answer)
    }
}
