package import Essentials

/// The store's part of identities; where something may be used `once`, that is noted in the same
/// transaction.
package protocol IdentityStore: Sendable {
    /// Notes that something is used. Returns false when it was used before.
    func use(_ once: Once) async throws -> Bool
    /// The identity and its account; `nil` when there is none.
    func identity(issuer: String, subject: String) async throws -> IdentityRecord?
    /// Makes account and identity in one transaction. Throws `UsedBefore`.
    func addAccount(_ new: NewAccount, identity: LinkedIdentity, once: Once?) async throws -> IdentitySignup
    /// Adds the identity to the account of that session, renews the session and queues the notice.
    /// Returns false when it belongs to an account already. Throws `Superseded` and `UsedBefore`.
    func link(
        _ new: LinkedIdentity, by session: PresentedSession, once: Once?, _ change: FactorChange
    ) async throws -> Bool
    /// The identities of the account with that address, the oldest first; none when there is no
    /// such account.
    func linkedIdentities(emailKey: String) async throws -> [LinkedIdentity]
    /// The same of an account by its id.
    func linkedIdentities(accountID: AccountID) async throws -> [LinkedIdentity]
    /// Keeps a newer refresh token, sealed. Returns false when there is no such identity any more.
    func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) async throws -> Bool
}
