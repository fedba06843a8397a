import Essentials
import Foundation
import WebAuthn

extension PasskeyVerifier: FactorKind {
    var factor: SecondFactor { .passkey }

    func use(
        _ attempt: FactorAttempt, of factors: AccountFactors, accountID: AccountID, visitor: Visitor
    ) async throws -> FactorUse? {
        guard isOn, case .passkey(let response, let challenge) = attempt,
            let signed = SignedResponse(response, challenge),
            let passkey = factors.passkeys.first(where: { $0.credential.id == signed.response.credentialID.bytes }),
            signed.isOf(factors.userHandle ?? [], mayBeSilent: true)
        else { return nil }
        return try use(signed, of: passkey, visitor: visitor)
    }

    func facts(of factors: AccountFactors, inExport: Bool) -> [String: any Encodable] {
        ["passkeys": factors.passkeys.map { PasskeyFacts($0, inExport: inExport) }]
    }

    /// What is odd about a use that was right. It is told, and locks nobody out: providers of
    /// passkeys differ in what they promise.
    func news(of use: FactorUse, on factors: AccountFactors) -> FactorNews {
        guard case .passkey(let use) = use, let before = factors.passkeys.first(where: { $0.id == use.id }) else {
            return FactorNews()
        }
        let (count, last) = (use.signatureCount, before.credential.signatureCount)
        let isBehind = max(count, last) > 0 && count <= last
        let isChanged = use.backup.isEligible != before.credential.backup.isEligible
        return FactorNews(
            events: (isBehind ? [.passkeyCounterBehind] : []) + (isChanged ? [.passkeyBackupChanged] : []))
    }
}

/// A passkey without what it is checked by: for the API with its id, for the file with more.
private struct PasskeyFacts: Encodable {
    let id: String?
    let name: String
    let transports: [String]?
    let isBackedUp: Bool?
    /// Whether it is asked for after a password.
    let isSecondFactor: Bool
    let createdAt: Date
    let lastUsedAt: Date?

    init(_ passkey: Passkey, inExport: Bool) {
        id = inExport ? nil : passkey.id
        name = passkey.name
        transports = inExport ? passkey.credential.transports : nil
        isBackedUp = inExport ? passkey.credential.backup.isBackedUp : nil
        isSecondFactor = passkey.isSecondFactor
        (createdAt, lastUsedAt) = (passkey.createdAt, passkey.lastUsedAt)
    }
}
