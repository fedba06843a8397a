import Essentials
import Hummingbird
import Serving

/// `GET factors`: what the account has besides password and providers.
struct FactorsAPI {
    let store: any FactorStore

    private struct Answer: Encodable {
        /// Whether a sign-in asks for a second step.
        let secondStep: Bool
        let passkeys: [PasskeyEntry]
        let totp: TOTPEntry?
        let recoveryCodes: RecoveryCodesEntry?
    }

    private struct PasskeyEntry: Encodable {
        let id: String
        let name: String
        /// Whether it is asked for after a password.
        let isSecondFactor: Bool
        let createdAt: Date
        let lastUsedAt: Date?
    }

    private struct TOTPEntry: Encodable {
        let createdAt: Date
        let lastUsedAt: Date?
    }

    private struct RecoveryCodesEntry: Encodable {
        let left: Int
        let createdAt: Date
    }

    func add(to routes: some RouterMethods<AppContext>) {
        routes.signedInCalls().get("/api/auth/factors", use: list)
    }

    @Sendable private func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let factors = try await store.factors(accountID: context.account.id)
        return try JSONReply.of(
            Answer(
                secondStep: factors.asksSecondStep,
                passkeys: factors.passkeys.map {
                    PasskeyEntry(
                        id: $0.id, name: $0.name, isSecondFactor: $0.isSecondFactor, createdAt: $0.createdAt,
                        lastUsedAt: $0.lastUsedAt)
                },
                totp: factors.totp.map { TOTPEntry(createdAt: $0.createdAt, lastUsedAt: $0.lastUsedAt) },
                recoveryCodes: factors.recoveryCodes.map {
                    RecoveryCodesEntry(left: $0.left, createdAt: $0.createdAt)
                }))
    }
}
