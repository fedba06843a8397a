package import Essentials
package import Foundation
package import PasswordHashing

/// A reset that was asked for: bound to one browser by the digest of its flow cookie. Made for every address alike.
package struct PendingReset: Sendable, Equatable {
    package let flow: TokenDigest
    package let email: String
    package let emailKey: String
    package let codeDigest: CodeDigest
    package let codeExpiresAt: Date
    /// The whole flow ends then, resent codes included.
    package let expiresAt: Date
    package let locale: String
    package let attempts: Int
    /// The code was right: only the new password is missing, and `codeExpiresAt` is when that must
    /// be chosen.
    package var isProved: Bool
    /// Where the visitor wanted to go; already checked.
    package let returnTo: String?
    /// An operator started it, and its link binds it to the browser that opens it.
    package let isMailed: Bool

    package init(
        flow: TokenDigest, email: String, emailKey: String, codeDigest: CodeDigest, codeExpiresAt: Date,
        expiresAt: Date, locale: String, returnTo: String? = nil, attempts: Int = 0, isProved: Bool = false,
        isMailed: Bool = false
    ) {
        self.flow = flow
        self.email = email
        self.emailKey = emailKey
        self.codeDigest = codeDigest
        self.codeExpiresAt = codeExpiresAt
        self.expiresAt = expiresAt
        self.locale = locale
        self.returnTo = returnTo
        self.attempts = attempts
        self.isProved = isProved
        self.isMailed = isMailed
    }
}

extension PendingReset {
    /// A flow that begins now, with a code that is good for as long as codes are.
    init(
        _ flow: Token, _ code: Code, _ email: EmailAddress, lifetime: TimeInterval, locale: String, key: SecretKey,
        now: Date, codeExpiresAt: Date, returnTo: String? = nil
    ) {
        self.init(
            flow: flow.digest, email: email.typed, emailKey: email.key,
            codeDigest: code.digest(flow: flow.digest, key: key),
            codeExpiresAt: codeExpiresAt,
            expiresAt: now.addingTimeInterval(lifetime), locale: locale, returnTo: returnTo
        )
    }
}

/// Everything a right code writes.
package struct PasswordResetRedemption: Sendable {
    package let passwordHash: PasswordHash
    package let failuresKey: [UInt8]
    package let identities: IdentityReview
    package let notice: QueuedMail
    /// `accountID` is filled in by the store.
    package let event: SecurityEvent

    package init(
        passwordHash: PasswordHash, failuresKey: [UInt8], identities: IdentityReview = .nothing, notice: QueuedMail,
        event: SecurityEvent
    ) {
        self.identities = identities
        self.passwordHash = passwordHash
        self.failuresKey = failuresKey
        self.notice = notice
        self.event = event
    }
}

/// The store's part of password reset.
package protocol PasswordResetStore: Sendable {
    /// Keeps a pending reset and, where an account may be reset, queues the mail; otherwise the row of a mail that nobody
    /// gets, so that both cost the same. Ends the flow the same browser had before. One transaction.
    func addPendingReset(_ pending: PendingReset, replaces: TokenDigest?, mail: QueuedMail) async throws
    /// The pending reset of a browser; `nil` when there is none that has not ended.
    func pendingReset(flow: TokenDigest, now: Date) async throws -> PendingReset?
    /// Puts a new code in place of the old one, and of a proof; attempts used stay used. Returns
    /// false when the flow has ended or has no attempts left.
    func renewResetCode(
        flow: TokenDigest, code: CodeDigest, codeExpiresAt: Date, mail: QueuedMail, now: Date
    ) async throws -> Bool
    /// Uses up one attempt; with a right code of an account that may be reset, the flow is proved
    /// until then, that code is used, and `next` becomes the flow's handle; the former one no
    /// longer finds it. Returns false for a wrong, expired, used or foreign code; a wrong one is
    /// counted and kept.
    func proveReset(
        flow: TokenDigest, attempt: CodeAttempt, next: TokenDigest, until: Date, now: Date
    ) async throws -> Bool
    /// Uses up one attempt, or with `nil` the proof of the flow; with a right one it sets the
    /// password, proves the mailbox, ends every session and every other reset of the account, takes
    /// away the ways in that go, clears the failures in a row and queues the notice, in one
    /// transaction and once. Returns the account's id, or `nil` for a wrong, expired, used or
    /// foreign code; a wrong one is counted and kept. Throws `Superseded` when the account has
    /// other identities by now; then nothing was written.
    func redeemReset(
        flow: TokenDigest, attempt: CodeAttempt?, redemption: PasswordResetRedemption, now: Date
    ) async throws -> String?
}
