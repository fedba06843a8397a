package import Essentials

/// The store's part of the profile.
package protocol ProfileStore: Sendable {
    /// Sets the name a person wants to be called.
    func rename(to displayName: String, accountID: AccountID, event: SecurityEvent) async throws
}
