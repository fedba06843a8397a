package import Essentials
package import Foundation
package import PasswordHashing

extension CodeFlowKind {
    package static let signup = CodeFlowKind(name: "signups", letter: "s")
}

/// A sign-up whose mailbox is not proved yet. Makes no account.
package struct PendingSignup: CodeFlow, Equatable {
    package let code: PendingCode
    package let displayName: String
    package let passwordHash: PasswordHash
    package let consent: Consent
    package let locale: String
    package let returnTo: String?
    /// "Keep me signed in".
    package let remember: Bool

    package init(
        code: PendingCode, displayName: String, passwordHash: PasswordHash, consent: Consent, locale: String,
        returnTo: String?, remember: Bool = false
    ) {
        self.code = code
        self.displayName = displayName
        self.passwordHash = passwordHash
        self.consent = consent
        self.locale = locale
        self.returnTo = returnTo
        self.remember = remember
    }
}

/// The store's part of sign-up.
package protocol SignupStore: Sendable {
    /// Keeps a pending sign-up, ends the one the same browser had before, and queues the mail that
    /// fits: one transaction.
    func addPendingSignup(_ pending: PendingSignup, replaces: TokenDigest?, mails: AddressMails) async throws
    /// The pending sign-up of a browser; `nil` when there is none that has not ended.
    func pendingSignup(flow: TokenDigest, now: Date) async throws -> PendingSignup?
    /// Uses up one attempt; with a right code it makes `new` (once, however many try at a time),
    /// starts its session and ends the flow, in one transaction; those of others for the address go
    /// on. `new` is made from the pending sign-up of that flow, read before: nothing of it but its
    /// code and its attempts ever changes. A wrong code is counted and kept.
    func completeSignup(
        flow: TokenDigest, attempt: CodeAttempt, new: NewAccount, now: Date
    ) async throws -> CodeOutcome
    /// Makes an account at once, for verification off. Returns false when the address is taken.
    func addAccount(_ new: NewAccount) async throws -> Bool
}
