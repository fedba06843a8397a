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

/// What is read of an account after a right first step.
package struct SignInFacts: Sendable, Equatable {
    /// The app, and passkeys that count as a second factor, whether passkeys are on or not. What
    /// stands in for them, recovery codes, is not among them.
    package let secondFactors: Set<SecondFactor>
    /// Whether the account may have `Session.roomToSpare` sessions more.
    package let hasRoom: Bool

    package init(secondFactors: Set<SecondFactor>, hasRoom: Bool) {
        self.secondFactors = secondFactors
        self.hasRoom = hasRoom
    }
}
