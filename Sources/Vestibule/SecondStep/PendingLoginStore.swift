package import Essentials
package import Foundation

/// The store's part of logins that wait for their second step, which `SignInStore.loginSucceeded`
/// ends.
package protocol PendingLoginStore: Sendable {
    /// Keeps a pending login, gives the claims back and keeps the renewed hash: one transaction.
    /// Throws `Superseded` when the password was changed or the account closed meanwhile, and
    /// `UsedBefore`.
    func beginSecondStep(_ first: FirstStep) async throws
    /// Returns nil if it is unknown or has ended, or its account cannot sign in.
    func pendingLogin(_ flow: TokenDigest, now: Date) async throws -> PendingLoginRecord?
    /// Uses up one try before anything is compared. Returns nil as above, and when none is left.
    func tryPendingLogin(_ flow: TokenDigest, now: Date) async throws -> PendingLoginRecord?
    /// A wrong second step: one more failure in a row, the event, and the notice if there is one.
    func secondStepFailed(failuresKey: [UInt8], event: SecurityEvent, notice: QueuedMail?) async throws
}
