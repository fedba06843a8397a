package import Essentials
package import Foundation
package import PasswordHashing

/// A sign-up whose mailbox is not proved yet. Bound to one browser by the digest of its flow cookie; makes no account.
package struct PendingSignup: Sendable, Equatable {
    package let flow: TokenDigest
    package let displayName: String
    package let email: String
    package let emailKey: String
    package let passwordHash: PasswordHash
    package let codeDigest: CodeDigest
    package let codeExpiresAt: Date
    /// The whole flow ends then, resent codes included.
    package let expiresAt: Date
    package let consent: Consent
    package let locale: String
    package let returnTo: String?
    /// "Keep me signed in".
    package let remember: Bool
    package let attempts: Int

    package init(
        flow: TokenDigest, displayName: String, email: String, emailKey: String, passwordHash: PasswordHash,
        codeDigest: CodeDigest, codeExpiresAt: Date, expiresAt: Date, consent: Consent, locale: String,
        returnTo: String?, remember: Bool = false, attempts: Int = 0
    ) {
        self.flow = flow
        self.displayName = displayName
        self.email = email
        self.emailKey = emailKey
        self.passwordHash = passwordHash
        self.codeDigest = codeDigest
        self.codeExpiresAt = codeExpiresAt
        self.expiresAt = expiresAt
        self.consent = consent
        self.locale = locale
        self.returnTo = returnTo
        self.remember = remember
        self.attempts = attempts
    }
}

/// The two mails a sign-up may send; the store picks one in the transaction, so that both answers cost the same.
package struct SignupMails: Sendable {
    package let whenFree: QueuedMail
    package let whenTaken: QueuedMail

    package init(whenFree: QueuedMail, whenTaken: QueuedMail) {
        self.whenFree = whenFree
        self.whenTaken = whenTaken
    }
}

/// What came of a code.
package enum SignupCompletion: Sendable, Equatable {
    /// Wrong, expired, used, or of no flow.
    case codeWrong
    /// Right, but the address has an account. The flow has ended.
    case taken
    /// Right: account and session are made.
    case created(Account)
}

/// The store's part of sign-up.
package protocol SignupStore: Sendable {
    /// Keeps a pending sign-up and queues the mail that fits, in one transaction.
    func addPendingSignup(_ pending: PendingSignup, mails: SignupMails) async throws
    /// The pending sign-up of a browser; `nil` when there is none that has not ended.
    func pendingSignup(flow: TokenDigest, now: Date) async throws -> PendingSignup?
    /// Puts a new code in place of the old one and queues its mail; attempts used stay used. Returns false when the flow
    /// has ended or has no attempts left.
    func renewSignupCode(
        flow: TokenDigest, code: CodeDigest, codeExpiresAt: Date, mails: SignupMails, now: Date
    ) async throws -> Bool
    /// Uses up one attempt; with a right code it makes the account (once, however many try at a time), starts its
    /// session, and drops every other pending sign-up of that address, in one transaction. A wrong one is counted and
    /// kept.
    func completeSignup(
        flow: TokenDigest, attempt: CodeAttempt, now: Date, make: @escaping @Sendable (PendingSignup) -> NewAccount
    ) async throws -> SignupCompletion
    /// Makes an account at once, for verification off. Returns false when the address is taken.
    func addAccount(_ new: NewAccount) async throws -> Bool
}
