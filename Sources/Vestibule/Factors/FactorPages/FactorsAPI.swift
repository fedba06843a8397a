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

        private enum CodingKeys: String, CodingKey {
            case passkeys, totp
            case secondStep = "second_step"
            case recoveryCodes = "recovery_codes"
        }
    }

    private struct PasskeyEntry: Encodable {
        let id: String
        let name: String
        /// Whether it is asked for after a password.
        let isSecondFactor: Bool
        let createdAt: String
        let lastUsedAt: String?

        private enum CodingKeys: String, CodingKey {
            case id, name
            case isSecondFactor = "is_second_factor"
            case createdAt = "created_at"
            case lastUsedAt = "last_used_at"
        }
    }

    private struct TOTPEntry: Encodable {
        let createdAt: String
        let lastUsedAt: String?

        private enum CodingKeys: String, CodingKey {
            case createdAt = "created_at"
            case lastUsedAt = "last_used_at"
        }
    }

    private struct RecoveryCodesEntry: Encodable {
        let left: Int
        let createdAt: String

        private enum CodingKeys: String, CodingKey {
            case left
            case createdAt = "created_at"
        }
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
                        id: $0.id, name: $0.name, isSecondFactor: $0.isSecondFactor, createdAt: $0.createdAt.stamp,
                        lastUsedAt: $0.lastUsedAt?.stamp)
                },
                totp: factors.totp.map { TOTPEntry(createdAt: $0.createdAt.stamp, lastUsedAt: $0.lastUsedAt?.stamp) },
                recoveryCodes: factors.recoveryCodes.map {
                    RecoveryCodesEntry(left: $0.left, createdAt: $0.createdAt.stamp)
                }))
    }
}
