package import Essentials
package import Foundation

/// What goes with every change of an account's factors and providers, in one transaction with it.
package struct FactorChange: Sendable {  // Parts: what one transaction writes.
    package let accountID: AccountID
    /// Of the session that made the change, where one did.
    package let renewal: SessionRenewal?
    package let notice: QueuedMail
    package let event: SecurityEvent
    /// The events of identities that are removed with this change.
    package var unlinked: [SecurityEvent] = []
    /// Whether sessions of an account that has no second factor any more open nothing else.
    package var requiresFactor = false
    /// What the settings let count as a second factor.
    package var counted: FactorPresence = [.key, .passkey]
    /// Whether a second factor is added: then no browser that has signed in so far is known any
    /// more, and all refresh tokens end.
    package var addsFactor = false
    /// Until when the mailbox may take back the first factor, which this adds.
    package var undo: Once?
}

/// What became of a passkey that was to be removed.
package enum PasskeyRemoval: Sendable, Equatable {
    case removed
    case unknown
    /// The account has nothing else to sign in with.
    case lastWay
}

/// The store's part of factors. Every change renews the session, ends what browsers were trusted
/// for (not where a passkey is added that is no second factor), stops a removal that waits, queues
/// the notice and keeps the event: one transaction, which throws `Superseded` when the session's
/// token was replaced.
package protocol FactorStore: Sendable {
    func factors(accountID: AccountID) async throws -> AccountFactors
    /// Returns nil if unknown.
    func account(_ accountID: AccountID) async throws -> Account?
    /// The passkeys of the account with that address, the oldest first; none when there is no such
    /// account.
    func passkeys(emailKey: String) async throws -> [Passkey]
    /// Returns nil if unknown.
    func passkey(credentialID: [UInt8]) async throws -> PasskeyRecord?
    /// Adds a passkey, using up each `once`. `userHandle` is kept for the account's first
    /// one. Returns false when the credential is known, the account has too many, or its handle is
    /// another one. Throws `UsedBefore`.
    func addPasskey(_ passkey: Passkey, userHandle: [UInt8], once: [Once], _ change: FactorChange) async throws -> Bool
    /// Returns false if the account has no such passkey. Throws `Superseded`.
    func renamePasskey(id: String, by session: PresentedSession, name: String) async throws -> Bool
    /// Makes a passkey a second factor from now on. Returns false if the account has no such
    /// passkey, or it is one already.
    func useForSecondStep(passkeyID: String, _ change: FactorChange) async throws -> Bool
    /// Removes a passkey, unless neither a password nor another way in that is `inUse` would be
    /// left. With the last factor that counts its recovery codes go.
    func removePasskey(id: String, inUse: WaysInUse, _ change: FactorChange) async throws -> PasskeyRemoval
    /// Sets the account's factor of that kind, in place of the one before, with the digests of the
    /// codes that work once. Returns false if they are recovery codes, and the account has nothing
    /// that they could stand in for; then nothing is written.
    func setKey(_ key: FactorKey, codes: [[UInt8]], _ change: FactorChange) async throws -> Bool
    /// Returns false if there is none. With the last factor that counts its recovery codes go.
    func removeKey(_ kind: SecondFactor, _ change: FactorChange) async throws -> Bool
    /// Removes every factor since the link's moment, the passkey of that id whenever it was made,
    /// and what else `WayIn.fate` says. Returns false if the link has ended, or only recovery codes
    /// would go; then nothing is written.
    func takeBackFactors(by link: FactorUndoLink, passkeyID: String?, _ change: FactorChange) async throws -> Bool
    /// When the link expires that takes back the account's first factor and went to that address;
    /// nil when there is none, or no longer.
    func factorUndoExpiry(accountID: AccountID, emailKey: String, now: Date) async throws -> Date?
    /// Uses a factor up and renews the session. Throws `UsedBefore` for a code or a challenge that
    /// was used or is gone, and `Superseded`. The events are of one moment.
    func prove(
        _ use: FactorUse, _ renewal: SessionRenewal, accountID: AccountID, events: [SecurityEvent], mails: [QueuedMail]
    ) async throws
    /// How many accounts have a second factor; with `onlyPasskeys`, how many have no other than
    /// passkeys.
    func accountsWithSecondFactor(onlyPasskeys: Bool) async throws -> Int
    /// Until when that browser may leave the second step out. Returns nil if it may not.
    func trustedUntil(browser: TokenDigest, accountID: AccountID) async throws -> Date?
}

extension FactorStore {
    /// Of a kind whose codes are not kept.
    package func setKey(_ key: FactorKey, _ change: FactorChange) async throws {
        _ = try await setKey(key, codes: [], change)
    }
}
