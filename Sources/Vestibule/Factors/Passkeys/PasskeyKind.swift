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
            passkey.isSecondFactor,
            signed.isOf(factors.userHandle ?? [], mayBeSilent: true)
        else { return nil }
        return try use(signed, of: passkey, visitor: visitor)
    }

    /// Without what passkeys are checked by: for the API with their ids, for the file with more.
    func facts(of factors: AccountFactors, inExport: Bool) -> [String: any Encodable] {
        let passkeys = factors.passkeys.map { passkey -> JSONObject in
            [
                "id": inExport ? nil : passkey.id, "name": passkey.name,
                "transports": inExport ? passkey.credential.transports : nil,
                "is_backed_up": inExport ? passkey.credential.backup.isBackedUp : nil,
                "is_second_factor": passkey.isSecondFactor, "created_at": passkey.createdAt,
                "last_used_at": passkey.lastUsedAt,
            ]
        }
        return ["passkeys": passkeys]
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
