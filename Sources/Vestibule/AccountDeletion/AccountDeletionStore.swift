import Essentials

/// Everything that deleting an account erases and writes.
package struct AccountDeletion: Sendable {
    package let accountID: String
    package let emailKey: String
    package let failuresKey: [UInt8]
    /// Under which names mails to an address wait.
    package let recipients: @Sendable (_ address: String) -> [[UInt8]]
    package let farewell: QueuedMail
    /// Names neither account nor address: all that remains.
    package let event: SecurityEvent

    package init(
        accountID: String, emailKey: String, failuresKey: [UInt8],
        recipients: @escaping @Sendable (_ address: String) -> [[UInt8]], farewell: QueuedMail, event: SecurityEvent
    ) {
        self.accountID = accountID
        self.emailKey = emailKey
        self.failuresKey = failuresKey
        self.recipients = recipients
        self.farewell = farewell
        self.event = event
    }
}

/// The store's part of deleting an account.
package protocol AccountDeletionStore: Sendable {
    /// Erases the account with all that belongs to it or its address, and queues the farewell, in one transaction. Returns
    /// false when there is no such account any more.
    func deleteAccount(_ deletion: AccountDeletion) async throws -> Bool
}
