package import Essentials

/// The store's part of the ways in that an account's owner sees and takes away.
package protocol SignInMethodStore: Sendable {
    /// The identities of the account, the oldest first, at most 100.
    func identities(accountID: AccountID) async throws -> [Identity]
    /// Removes an identity of the account and queues the notice, unless nothing but ways through
    /// other providers than the `configured` would be left: one transaction. Throws
    /// `Superseded`.
    func unlink(
        id: String, by session: PresentedSession, configured: [String], notice: QueuedMail, event: SecurityEvent
    ) async throws -> IdentityRemoval
}
