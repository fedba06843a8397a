import Essentials
import Foundation

/// Adds an authenticator app to an account, in place of the one before, and removes it. A new key
/// counts when a code of it was typed; until then only the form has it, sealed.
struct TOTPSetup: Sendable {
    let store: any FactorStore
    let changes: FactorChanges
    let key: SecretKey
    let random: Randomness
    /// Under which name apps list the account.
    let issuer: String
    let now: @Sendable () -> Date

    /// A key that waits for its first code.
    struct Pending: Sendable {
        let key: TOTPKey
        /// For the form: opens for half an hour, in this session.
        let sealed: String
    }

    private var field: SealedField<[UInt8]> { SealedField(name: "setup", key: key, now: now) }

    /// A new key. Writes nothing.
    func begin(_ record: SessionRecord) throws -> Pending {
        let fresh = TOTPKey(from: random)
        return Pending(key: fresh, sealed: try field.seal(fresh.bytes, for: record))
    }

    /// The key that a form has sent back. Returns nil if it is too old or not of this session.
    func pending(_ sealed: String, _ record: SessionRecord) -> Pending? {
        field.open(sealed, for: record).map { Pending(key: TOTPKey(bytes: $0), sealed: sealed) }
    }

    func uri(_ pending: Pending, _ account: Account) -> String {
        OTPAuthURI(issuer: issuer, email: account.email, key: pending.key).text
    }

    /// Keeps the key once its code is right, which is used up by that. Throws `Refusals` for the
    /// form.
    func confirm(
        _ pending: Pending, typed: String, _ record: SessionRecord, _ factors: RequestFactors, visitor: Visitor
    ) async throws -> RenewedBrowser {
        guard !typed.trimmingASCIIWhitespace.isEmpty else { throw Refusals([.appCodeMissing]) }
        let (now, before) = (now(), try await factors.read(store))
        // The same form again: its code was used.
        let kept = before.totp.flatMap { app in
            (try? app.opened(key, of: record.accountID)) == pending.key.bytes ? app : nil
        }
        guard let step = TOTP.step(of: typed, pending.key, after: kept?.counter, now: now) else {
            throw Refusals([.appCodeWrong])
        }
        let sealed = try key.seal(pending.key.bytes, for: SecondFactor.totp.sealing(record.accountID))
        let addition = try await changes.prepareAddition(
            .init(mail: .totpAdded, event: .totpAdded), record,
            to: before, proved: .totp, visitor: visitor)
        try await store.setKey(FactorKey(.totp, sealed: sealed, counter: step, createdAt: now), addition.change)
        return changes.made(addition, record, visitor: visitor)
    }

    /// Returns the session's new token; nil if there is no app.
    func remove(_ record: SessionRecord, visitor: Visitor) async throws -> Token? {
        let (token, change) = try changes.prepare(
            .init(mail: .totpRemoved, event: .totpRemoved), record, visitor: visitor)
        guard try await store.removeKey(.totp, change) else { return nil }
        changes.made(change, visitor: visitor)
        return token
    }
}

extension SecurityEvent.Kind {
    static let totpAdded = Self("totp_added", log: "user_updated")
    static let totpRemoved = Self("totp_removed", log: "user_updated")
}

extension MailContent.Kind {
    static let totpAdded = Self("totp-added")
    static let totpRemoved = Self("totp-removed")
}
