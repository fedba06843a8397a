package import Essentials
package import Foundation

extension CodeFlowKind {
    package static let reset = CodeFlowKind(name: "resets", letter: "r")
}

/// A reset that was asked for. Made for every address alike.
package struct PendingReset: CodeFlow, Equatable {
    /// Of a proved reset `codeExpiresAt` is when the new password must be chosen.
    package let code: PendingCode
    package let locale: String
    /// Where the visitor wanted to go; already checked.
    package let returnTo: String?
    /// The code was right: only the new password is missing.
    package var isProved: Bool
    /// An operator started it, and its link binds it to the browser that opens it.
    let isMailed: Bool

    package init(
        code: PendingCode, locale: String, returnTo: String? = nil, isProved: Bool = false, isMailed: Bool = false
    ) {
        self.code = code
        self.locale = locale
        self.returnTo = returnTo
        self.isProved = isProved
        self.isMailed = isMailed
    }
}

/// Everything a right code writes.
package struct PasswordResetRedemption: Sendable {
    package let passwordHash: JudgedHash
    package let failuresKey: [UInt8]
    package var ways: ReviewedWays = .nothing
    package let notice: QueuedMail
    /// `accountID` is filled in by the store.
    package let event: SecurityEvent
}

/// The store's part of password reset.
package protocol PasswordResetStore: Sendable {
    /// Keeps a pending reset and, where an account may be reset, queues the mail; otherwise the row
    /// of a mail that nobody gets, so that both cost the same. Ends the flow the same browser had
    /// before. One transaction.
    func addPendingReset(_ pending: PendingReset, replaces: TokenDigest?, mail: QueuedMail) async throws
    /// The pending reset of a browser; `nil` when there is none that has not ended.
    func pendingReset(flow: TokenDigest, now: Date) async throws -> PendingReset?
    /// Uses up one attempt; with a right code of an account that may be reset, the flow is proved
    /// until then, that code is used, and `next` becomes the flow's handle; the former one no
    /// longer finds it. Returns false for a wrong, expired, used or foreign code; a wrong one is
    /// counted and kept.
    func proveReset(
        flow: TokenDigest, attempt: CodeAttempt, next: TokenDigest, until: Date, now: Date
    ) async throws -> Bool
    /// Uses up one attempt, or with `nil` the proof of the flow; with a right one it sets the
    /// password, proves the mailbox, ends what `WayIn.fate` says that a reset ends, takes away the
    /// ways in that go, clears the failures in a row and queues the notice, in one transaction and
    /// once. Returns the account's id, or `nil` for a wrong, expired, used or foreign code; a wrong
    /// one is counted and kept. Throws `Superseded` when the account has other identities or
    /// passkeys by now, and `NameUnjudged` when the code is right and the password was not judged
    /// with the account's name; then nothing was written.
    func redeemReset(
        flow: TokenDigest, attempt: CodeAttempt?, redemption: PasswordResetRedemption, now: Date
    ) async throws -> AccountID?
}
