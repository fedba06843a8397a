package import Essentials
package import PasswordHashing

/// The store's part of a new password.
package protocol PasswordChangeStore: Sendable {
    /// Sets the hash in place of the one that was proved, renews the session, ends every other one
    /// of the account, takes away the ways in that go and queues the notice: one transaction.
    /// Throws `Superseded`.
    func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        ways: ReviewedWays, notice: QueuedMail, event: SecurityEvent
    ) async throws
}
