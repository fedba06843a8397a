package import Essentials
package import Foundation

/// The store's part of logins that wait for their second step, which `SignInStore.loginSucceeded`
/// ends.
package protocol PendingLoginStore: Sendable {
    /// Keeps a pending login, gives the claims back, keeps the renewed hash and notes that the
    /// identity was used: one transaction. Throws `Superseded` when the password was changed, the
    /// identity removed or the account closed meanwhile, and `UsedBefore`. Need not survive a power
    /// cut unless a hash is renewed or something used once: the visitor begins anew.
    func beginSecondStep(_ login: PendingLogin, of signIn: ProvedSignIn) async throws
    /// Returns nil if it is unknown or has ended, or its account cannot sign in.
    func pendingLogin(_ flow: TokenDigest, now: Date) async throws -> PendingLoginRecord?
    /// Takes the claims and uses up one try, before anything is compared: one transaction. Returns
    /// how many are used up now; nil if the login is unknown or has ended, and when no try is left:
    /// the claims are taken then, too. Throws `LimitRefusal`; then nothing is used up. Need not
    /// survive a power cut, like other counters.
    func tryPendingLogin(_ flow: TokenDigest, claims: [LimitClaim], now: Date) async throws -> Int?
    /// A wrong second step: one more failure in a row, the event, and the notice if there is one.
    func secondStepFailed(failuresKey: [UInt8], event: SecurityEvent, notice: QueuedMail?) async throws
}
