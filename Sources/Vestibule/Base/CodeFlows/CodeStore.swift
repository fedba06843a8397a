package import Essentials
package import Foundation

/// The store's part of code flows, whatever they are for.
package protocol CodeStore: Sendable {
    /// Wrong codes of the whole site in this hour and the 24 before it.
    func wrongCodes(now: Date) async throws -> Int
    /// Puts a new code in place of the old one, and of a proof that the old one was right, and
    /// queues its mail: one transaction. Attempts used stay used. Returns false when the flow has
    /// ended or has no attempts left.
    func renewCode(_ renewal: CodeRenewal, of kind: CodeFlowKind, now: Date) async throws -> Bool
}

/// Another code for a flow.
package struct CodeRenewal: Sendable {
    package let flow: TokenDigest
    package let digest: CodeDigest
    package let codeExpiresAt: Date
    package let mail: CodeMail

    package init(flow: TokenDigest, digest: CodeDigest, codeExpiresAt: Date, mail: CodeMail) {
        self.flow = flow
        self.digest = digest
        self.codeExpiresAt = codeExpiresAt
        self.mail = mail
    }
}

/// The mail that carries a code. Where it depends on the account of the address, the store decides
/// in the transaction, and each answer costs the same.
package enum CodeMail: Sendable {
    case certain(QueuedMail)
    case either(AddressMails)
    /// Goes out where an account may be reset; otherwise the row of a mail that nobody gets.
    case toOwner(QueuedMail)
}

/// Two mails of which one goes out: when no account has the address, or when one has.
package struct AddressMails: Sendable {
    package let whenFree: QueuedMail
    package let whenTaken: QueuedMail

    package init(whenFree: QueuedMail, whenTaken: QueuedMail) {
        self.whenFree = whenFree
        self.whenTaken = whenTaken
    }
}
