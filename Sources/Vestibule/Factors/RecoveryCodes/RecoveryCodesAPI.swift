import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `POST factors/recovery-codes`: new ones, and the session's new token.
struct RecoveryCodesAPI {
    let stepUp: StepUpCalls
    let rule: RecoveryCodes
    let reauthentication: Reauthentication

    private struct Made: Encodable {
        let codes: [String]
        let session: JSONObject

        func encode(to encoder: any Encoder) throws {
            try session.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(codes, forKey: .codes)
        }

        private enum CodingKeys: CodingKey {
            case codes
        }
    }

    func add(to routes: some RouterMethods<AppContext>) {
        routes.signedInCalls().add(middleware: stepUp).post("/api/auth/factors/recovery-codes", use: make)
    }

    @Sendable private func make(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await reauthentication.prove(request, context)
        let (codes, token) = try await rule.make(context.record, context.factors, visitor: context.visitor)
        return try JSONReply.of(
            Made(codes: codes.map(\.text), session: .signedIn(token, context.session, context.account)))
    }
}
