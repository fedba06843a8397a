package import Essentials
package import Foundation

extension CodeFlowKind {
    package static let emailChange = CodeFlowKind(name: "email_changes", letter: "e")
}

/// A new address that was asked for and is not proved yet: bound to one account as well.
package struct PendingEmailChange: CodeFlow, Equatable {
    package let code: PendingCode
    package let accountID: AccountID

    package init(code: PendingCode, accountID: AccountID) {
        self.code = code
        self.accountID = accountID
    }
}

/// Everything a right code writes.
package struct EmailChangeCompletion: Sendable {
    package let renewal: SessionRenewal
    /// What lets the owner of the old address take it back.
    package let undo: EmailUndoLink
    /// To the old address.
    package let notice: QueuedMail
    /// In its place where there is nothing to take back, as the account returns to an address it
    /// had lately.
    package let noticeOfReturn: QueuedMail
    package let event: SecurityEvent
    /// Of the old address.
    package let failuresKey: [UInt8]
}

/// The store's part of changing an address.
package protocol EmailChangeStore: Sendable {
    /// Keeps a pending change in place of the account's one before, and queues the mail to the new
    /// address. Throws `Superseded`.
    func addPendingEmailChange(
        _ pending: PendingEmailChange, by session: PresentedSession, mail: QueuedMail, event: SecurityEvent
    ) async throws
    /// The pending change of a browser; `nil` when there is none that has not ended.
    func pendingEmailChange(flow: TokenDigest, now: Date) async throws -> PendingEmailChange?
    /// Uses up one attempt; with a right code it changes the address, keeps the undo, renews the
    /// session and queues the notice, in one transaction and once. A wrong one is counted and kept.
    func completeEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, completion: EmailChangeCompletion, now: Date
    ) async throws -> CodeOutcome
}
