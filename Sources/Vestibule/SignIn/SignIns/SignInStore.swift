package import Essentials

/// The store's part of signing in.
package protocol SignInStore: Sendable {
    /// After a right first step only: how long it takes depends on the account.
    func signInFacts(accountID: AccountID) async throws -> SignInFacts
    /// Starts the session, ends the one it replaces, clears the failures of its key, gives the
    /// failure claims back, notes what was used, keeps the events and a renewed hash: one
    /// transaction. Without `hasRoom` the oldest of too many sessions end. Returns whether a mail
    /// was queued. Throws `Superseded` when the password was changed, the identity removed, the
    /// account closed or one of the `absent` factors added since they were looked at, and
    /// `UsedBefore`.
    @discardableResult
    func loginSucceeded(_ signIn: ProvedSignIn, session: NewSession) async throws -> Bool
}
