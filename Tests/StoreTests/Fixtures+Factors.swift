import Foundation
import TestSupport

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

extension Make {
    static func passkey(
        _ id: String, of account: AccountID = "a", credential: UInt8 = 1, counts: Bool = true, at: Date = start
    ) -> Passkey {
        Passkey(
            id: id, accountID: account,
            credential: StoredCredential(
                id: Array(repeating: credential, count: 32),
                publicKey: StoredPublicKey(algorithm: -7, bytes: [1, 2, 3]), signatureCount: 7,
                aaguid: Array(repeating: 4, count: 16), transports: ["internal", "hybrid"],
                backup: PasskeyBackup(isEligible: true, isBackedUp: false)),
            isSecondFactor: counts, name: "Phone \(id)", createdAt: at)
    }

    /// Passkeys, and those providers.
    static func inUse(_ providers: String...) -> WaysInUse {
        WaysInUse(providers: providers, passkeys: true)
    }

    static func totp(lastStep: Int64 = 10) -> FactorKey {
        FactorKey(.totp, sealed: [9, 9], counter: lastStep, createdAt: start)
    }

    static func totpUse(_ step: Int64) -> FactorUse {
        .counter(step, of: .totp, madeAt: start)
    }

    static func codes(_ digests: [UInt8]...) -> RecoveryCodeSet {
        RecoveryCodeSet(digests: digests, sealedKey: [8])
    }

    static func once(_ number: UInt8) -> Once {
        Once(digest: digest(number), until: start + 300)
    }

    static func change(
        _ kind: SecurityEvent.Kind = .proved, of account: AccountID = "a", renewal: SessionRenewal? = nil,
        at: Date = start, addsFactor: Bool = false
    ) -> FactorChange {
        FactorChange(
            accountID: account, renewal: renewal, notice: mail(), event: event(kind, account: account, at: at),
            addsFactor: addsFactor)
    }

    static func renewal(from old: UInt8, to new: UInt8, _ factor: SecondFactor? = .totp) -> SessionRenewal {
        SessionRenewal(
            sessionID: SessionID("session-\(old)"), replaces: digest(old), tokenDigest: digest(new),
            proof: Session.Proof(at: start + 5, secondFactor: factor))
    }

    static func pendingLogin(
        _ flow: UInt8, of account: AccountID = "a", by proof: FirstFactor = .password, hash: String? = "phc",
        at: Date = start, lives: TimeInterval = 600
    ) -> PendingLogin {
        PendingLogin(
            flow: digest(flow), accountID: account, provedBy: proof,
            provedDigest: hash.map { PendingLogin.digest(of: PasswordHash(phc: $0)) }, remembered: true,
            returnTo: "/x", startedAt: at, expiresAt: at + lives)
    }

    /// The end of that login by a code of that time step.
    static func success(
        _ flow: UInt8, step: Int64, token: UInt8 = 50, trust: UInt8? = nil, until: Date = start + 1000,
        at: Date = start
    ) -> StoredLogin {
        StoredLogin(
            session: session(token, account: "a", at: at), failuresKey: key(1), returned: [], proved: nil, rehash: nil,
            events: [event(.login, account: "a")], use: totpUse(step),
            secondStep: SecondStepEnd(
                flow: digest(flow), trust: trust.map { (browser: digest($0), until: until) }))
    }
}

extension FactorStore {
    @discardableResult
    func setRecoveryCodes(_ codes: RecoveryCodeSet, _ change: FactorChange) async throws -> Bool {
        let key = FactorKey(
            .recoveryCode, sealed: codes.sealedKey, counter: Int64(codes.digests.count), createdAt: change.event.at)
        return try await setKey(key, codes: codes.digests, change)
    }
}
