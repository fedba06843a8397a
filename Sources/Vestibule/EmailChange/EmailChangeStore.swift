package import Essentials
package import Foundation

/// A new address that was asked for and is not proved yet: bound to one account, and to one browser by its flow cookie.
package struct PendingEmailChange: Sendable, Equatable {
    package let flow: TokenDigest
    package let accountID: String
    package let email: String
    package let emailKey: String
    package let codeDigest: CodeDigest
    package let codeExpiresAt: Date
    /// The whole flow ends then, resent codes included.
    package let expiresAt: Date
    package let attempts: Int

    package init(
        flow: TokenDigest, accountID: String, email: String, emailKey: String, codeDigest: CodeDigest,
        codeExpiresAt: Date, expiresAt: Date, attempts: Int = 0
    ) {
        self.flow = flow
        self.accountID = accountID
        self.email = email
        self.emailKey = emailKey
        self.codeDigest = codeDigest
        self.codeExpiresAt = codeExpiresAt
        self.expiresAt = expiresAt
        self.attempts = attempts
    }
}

/// Everything a right code writes.
package struct EmailChangeCompletion: Sendable {
    package let renewal: SessionRenewal
    /// What lets the owner of the old address take it back.
    package let undo: EmailUndo
    /// To the old address.
    package let notice: QueuedMail
    package let event: SecurityEvent

    package init(renewal: SessionRenewal, undo: EmailUndo, notice: QueuedMail, event: SecurityEvent) {
        self.renewal = renewal
        self.undo = undo
        self.notice = notice
        self.event = event
    }
}

/// What came of a code.
package enum EmailChangeOutcome: Sendable, Equatable {
    /// Wrong, expired, used, or of no flow.
    case codeWrong
    /// Right, but another account has that address by now. The flow has ended.
    case taken
    case changed
}

/// The store's part of changing an address.
package protocol EmailChangeStore: Sendable {
    /// Keeps a pending change in place of the account's one before, and queues the mail to the new address.
    func addPendingEmailChange(_ pending: PendingEmailChange, mail: QueuedMail, event: SecurityEvent) async throws
    /// The pending change of a browser; `nil` when there is none that has not ended.
    func pendingEmailChange(flow: TokenDigest, now: Date) async throws -> PendingEmailChange?
    /// Puts a new code in place of the old one; attempts used stay used. Returns false when the flow has ended or has no
    /// attempts left.
    func renewEmailChangeCode(
        flow: TokenDigest, code: CodeDigest, codeExpiresAt: Date, mail: QueuedMail, now: Date
    ) async throws -> Bool
    /// Uses up one attempt; with a right code it changes the address, keeps the undo, renews the session and queues the
    /// notice, in one transaction and once. A wrong one is counted and kept.
    func completeEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, completion: EmailChangeCompletion, now: Date
    ) async throws -> EmailChangeOutcome
}
