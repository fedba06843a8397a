package import Essentials
package import Foundation

/// The store's part of code flows, whatever they are for.
package protocol CodeStore: Sendable {
    /// Wrong codes of the whole site in this hour and the 24 before it.
    func wrongCodes(now: Date) async throws -> Int
    /// Puts a new code in place of the old one, and of a proof that the old one was right, and its
    /// mail in place of one that waits: one transaction. Attempts used stay used. Returns false
    /// when the flow has ended or has no attempts left.
    func renewCode(_ renewal: CodeRenewal, of kind: CodeFlowKind, now: Date) async throws -> Bool
}

/// Another code for a flow.
package struct CodeRenewal: Sendable {
    package let flow: TokenDigest
    package let digest: CodeDigest
    package let codeExpiresAt: Date
    package let mail: CodeMail
    /// The id of the mail with the code before, which may still wait.
    package let earlierMail: String
}

/// The mail that carries a code. Where it depends on the account of the address, the store decides
/// in the transaction, and each answer costs the same.
package enum CodeMail: Sendable {
    case certain(QueuedMail)
    case either(AddressMails)
    /// Goes out where an account may be reset; otherwise the row of a mail that nobody gets.
    case toOwner(QueuedMail)
}

/// Three mails of which one goes out: when no account has the address, when one has, or when one
/// has that is disabled.
package struct AddressMails: Sendable {
    package let whenFree: QueuedMail
    package let whenTaken: QueuedMail
    package let whenDisabled: QueuedMail
}

/// A code that was typed: what is compared, and what is written when it is wrong.
package struct CodeAttempt: Sendable {
    /// Under the keys in force.
    package let digests: [CodeDigest]
    /// Of the address the code was mailed to.
    package let failuresKey: [UInt8]
    /// Kept when the code is wrong. Without an account it becomes one of the account that has the
    /// address.
    package let failure: SecurityEvent
    /// Beyond it no code is right; `nil` for a long code and for a known browser.
    package var limit: ShortCodeLimit?
}

/// What came of a code that proves an address.
package enum CodeOutcome: Sendable, Equatable {
    /// Wrong, expired, used, or of no flow.
    case codeWrong
    /// Right, but another account has the address. The flow has ended.
    case taken
    /// Right: what the flow was for is done.
    case done
}

/// How many wrong codes there may have been for a short one to be mailed to, and to work in, a
/// browser that is not known. docs/security.md has the arithmetic.
package struct ShortCodeLimit: Sendable, Equatable {
    /// For the whole site, in a day.
    let site: Int
    /// Wrong codes and passwords in a row for the address.
    let inARow: Int

    /// Where a right code opens an account.
    package static let account = ShortCodeLimit(site: 200, inARow: FailuresInARow.atMost)
    /// Where it proves an address for somebody else's account, or for a new one.
    static let address = ShortCodeLimit(site: account.site, inARow: .max)

    package func admits(site: Int, inARow: Int) -> Bool {
        site < self.site && inARow < self.inARow
    }
}
