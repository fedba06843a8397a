import Foundation

extension AccountExport {
    /// Second factors, without what they are checked by.
    package struct FactorFacts: Sendable, Encodable {
        let passkeys: [PasskeyFacts]
        let authenticatorApp: AppFacts?
        let recoveryCodes: CodeFacts?

        package init(_ factors: AccountFactors) {
            passkeys = factors.passkeys.map(PasskeyFacts.init)
            authenticatorApp = factors.totp.map { AppFacts(createdAt: $0.createdAt, lastUsedAt: $0.lastUsedAt) }
            recoveryCodes = factors.recoveryCodes.map {
                CodeFacts(left: $0.left, createdAt: $0.createdAt, lastUsedAt: $0.lastUsedAt)
            }
        }
    }

    package struct PasskeyFacts: Sendable, Encodable {
        let name: String
        let transports: [String]
        let isBackedUp, isSecondFactor: Bool
        let createdAt: Date
        let lastUsedAt: Date?

        init(_ passkey: Passkey) {
            name = passkey.name
            transports = passkey.transports
            isBackedUp = passkey.backup.isBackedUp
            isSecondFactor = passkey.isSecondFactor
            createdAt = passkey.createdAt
            lastUsedAt = passkey.lastUsedAt
        }
    }

    package struct AppFacts: Sendable, Encodable {
        let createdAt: Date
        let lastUsedAt: Date?
    }

    package struct CodeFacts: Sendable, Encodable {
        let left: Int
        let createdAt: Date
        let lastUsedAt: Date?
    }
}
