package import Essentials
package import Foundation

/// The store's part of identities; where something may be used `once`, that is noted in the same
/// transaction.
package protocol IdentityStore: Sendable {
    /// Notes that something is used. Returns false when it was used before.
    func use(_ once: Once) async throws -> Bool
    /// The identity and its account; `nil` when there is none.
    func identity(issuer: String, subject: String) async throws -> IdentityRecord?
    /// Starts a session like a login and keeps a newer refresh token, in one transaction. Returns
    /// whether a mail was queued. Throws `Superseded` when the identity has ended, and
    /// `UsedBefore`.
    @discardableResult
    func signIn(identityID: String, refreshToken: [UInt8]?, once: Once?, _ success: LoginSuccess) async throws -> Bool
    /// Makes account and identity in one transaction. Throws `UsedBefore`.
    func addAccount(_ new: NewAccount, identity: NewIdentity, once: Once?) async throws -> IdentitySignup
    /// Adds the identity to the account of that session and queues the notice. Returns false when
    /// it belongs to an account already. Throws `Superseded` and `UsedBefore`.
    func link(
        _ new: NewIdentity, by session: PresentedSession, once: Once?, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool
    /// The identities of the account with that address, the oldest first; none when there is no
    /// such account.
    func linkedIdentities(emailKey: String) async throws -> [LinkedIdentity]
    /// Notes that the identity was the first step of a sign-in, and keeps a newer refresh token,
    /// sealed.
    func identityUsed(identityID: String, refreshToken: [UInt8]?, at now: Date) async throws
    /// Keeps a newer refresh token, sealed. Returns false when there is no such identity any more.
    func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) async throws -> Bool
    /// The refresh tokens held for an account.
    func refreshTokens(accountID: AccountID) async throws -> [SealedGrant]
}
