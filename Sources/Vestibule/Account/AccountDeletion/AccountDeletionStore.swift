package import Essentials

/// Everything that deleting an account erases and writes.
package struct AccountErasure: Sendable {
    package let accountID: AccountID
    /// By whose wish; nil for the operator's.
    package let session: PresentedSession?
    package let emailKey: String
    package let failuresKey: [UInt8]
    /// The names under which mails wait, by address.
    package let recipients: [String: [[UInt8]]]
    package let farewell: QueuedMail
    /// Names neither account nor address: all that remains.
    package let event: SecurityEvent
}

/// The store's part of deleting an account.
package protocol AccountDeletionStore: Sendable {
    /// The account's address, and those it had lately that are nobody else's by now.
    func addresses(accountID: AccountID) async throws -> Set<EmailAddress>
    /// Erases the account with all that belongs to it or its addresses, and queues the farewell, in
    /// one transaction. Returns false when there is no such account any more. Throws `Superseded`
    /// when it has an address by now that `recipients` lacks, or the session another token.
    func erase(_ erasure: AccountErasure) async throws -> Bool
}
