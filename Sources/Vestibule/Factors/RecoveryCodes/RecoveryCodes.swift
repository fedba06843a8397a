import Essentials
import Foundation

/// Makes an account's recovery codes, which are shown once.
struct RecoveryCodes: Sendable {
    let store: any FactorStore
    let changes: FactorChanges
    let key: SecretKey
    let random: Randomness
    let now: @Sendable () -> Date

    private var field: SealedField<[String]> { SealedField(name: "codes", key: key, now: now) }

    /// New codes, as they are shown this once, and the session's new token. Those before end.
    /// Throws `Refusals` if there is no factor that they could stand in for, and `Refusal.limited`.
    func make(
        _ record: SessionRecord, _ factors: RequestFactors, visitor: Visitor
    ) async throws -> (codes: [RecoveryCode], token: Token) {
        guard try await factors.read(store).asksSecondStep(by: changes.policy) else { throw Refusals([.factorMissing]) }
        try await changes.admit(to: record, visitor: visitor)
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode(from: random) }
        let kept = try RecoveryKey.set(of: codes, from: random, key, for: record.accountID)
        let (token, change) = try changes.prepare(
            .init(mail: .recoveryCodesMade, event: .recoveryCodesMade), record, visitor: visitor)
        let own = FactorKey(
            .recoveryCode, sealed: kept.sealedKey, counter: Int64(codes.count), createdAt: change.event.at)
        // The last factor may have been removed meanwhile.
        guard try await store.setKey(own, codes: kept.digests, change) else { throw Refusals([.factorMissing]) }
        changes.made(change, visitor: visitor)
        return (codes, token)
    }

    /// Whether they were made so lately that the page that shows them still works.
    func haveJustBeenMade(_ codes: FactorKey?) -> Bool {
        guard let codes else { return false }
        return now() < codes.createdAt.addingTimeInterval(SealedField<[String]>.lifetime)
    }

    /// For the form that asks for them as a file: opens for half an hour, in this session.
    func sealed(_ codes: [RecoveryCode], _ record: SessionRecord) throws -> String {
        try field.seal(codes.map(\.text), for: record)
    }

    /// The codes that such a form has sent back. Returns nil if it is too old or not of this
    /// session.
    func shown(_ sealed: String, _ record: SessionRecord) -> [String]? {
        field.open(sealed, for: record)
    }
}

extension SecurityEvent.Kind {
    static let recoveryCodesMade = Self("recovery_codes_made", log: "user_updated")
}

extension MailContent.Kind {
    static let recoveryCodesMade = Self("recovery-codes-made")
}
