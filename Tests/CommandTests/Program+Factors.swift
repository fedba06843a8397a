import Foundation

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

extension Program {
    /// Adds a passkey and an authenticator app to an account, past every page.
    func addFactors(to email: String) async throws {
        let store = try SQLiteStore(path: database)
        defer { try? store.close() }
        let record = try await store.loginRecord(emailKey: email, failuresKey: [])
        guard let account = record.account else { throw NoAccount() }
        let digest = Token(from: .system).digest
        let passkey = Passkey(
            id: Randomness.system.id(), accountID: account.id,
            credential: StoredCredential(
                id: Randomness.system.bytes(32),
                publicKey: StoredPublicKey(algorithm: -7, bytes: Randomness.system.bytes(64)), signatureCount: 0,
                aaguid: [UInt8](repeating: 0, count: 16), transports: ["internal"],
                backup: PasskeyBackup(isEligible: true, isBackedUp: true)),
            isSecondFactor: true, name: "Phone", createdAt: Date())
        _ = try await store.addPasskey(
            passkey, userHandle: Randomness.system.bytes(64), once: [Once(digest: digest, until: Date() + 60)],
            Self.change(account))
        try await store.setKey(
            FactorKey(.totp, sealed: [1, 2, 3], counter: 1, createdAt: Date()), Self.change(account))
        _ = try await store.setKey(
            FactorKey(.recoveryCode, sealed: [1, 2, 3], counter: 8, createdAt: Date()),
            codes: (1...8).map { _ in Randomness.system.bytes(32) }, Self.change(account))
    }

    struct NoAccount: Error {}

    private static func change(_ account: Account) -> FactorChange {
        FactorChange(
            accountID: account.id, renewal: nil,
            notice: QueuedMail(id: Randomness.system.id(), sealed: [1], createdAt: Date(), attempts: 0),
            event: SecurityEvent(
                id: Randomness.system.id(), kind: .proved, accountID: account.id, at: Date(), address: nil,
                userAgent: ""))
    }
}
