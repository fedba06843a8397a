package import Essentials
package import Foundation

/// What waits for a code that was mailed: a sign-up, a reset, a change of address or its undo.
protocol CodeFlow: Sendable {
    var code: PendingCode { get }
}

/// A code that was mailed and is not typed yet, and the flow it belongs to: bound to one browser by
/// the digest of the flow's token.
package struct PendingCode: Sendable, Equatable {
    package let flow: TokenDigest
    /// The mailbox to prove, as its owner typed it.
    package let email: EmailAddress
    package let digest: CodeDigest
    package let codeExpiresAt: Date
    /// The whole flow ends then. A code that works longer moves it.
    package let expiresAt: Date
    /// Tries that were used.
    package let attempts: Int

    package init(
        flow: TokenDigest, email: EmailAddress, digest: CodeDigest, codeExpiresAt: Date, expiresAt: Date,
        attempts: Int = 0
    ) {
        self.flow = flow
        self.email = email
        self.digest = digest
        self.codeExpiresAt = codeExpiresAt
        self.expiresAt = expiresAt
        self.attempts = attempts
    }
}

extension PendingCode {
    var triesLeft: Int { max(0, Code.attempts - attempts) }
    /// No tries are left, whatever code is sent again.
    var isSpent: Bool { triesLeft == 0 }
}

/// A flow that begins: the token is for the browser, the code for the mail, the rest for the store.
struct NewCodeFlow: Sendable {
    let token: Token
    let code: MailedCode
    let pending: PendingCode
}

/// A code as a mail brings it.
struct MailedCode: Sendable {
    let digits: String
    /// The id of that mail, which the mail with the next code replaces while it waits.
    let mailID: String

    init(_ code: Code, _ digest: CodeDigest) {
        (digits, mailID) = (code.digits, digest.mailID)
    }
}

extension CodeDigest {
    /// As `Randomness.id()` makes them.
    package var mailID: String { Randomness.id(of: Array(bytes.prefix(16))) }
}

/// What a code flow is for. A feature that has one declares its kind.
package struct CodeFlowKind: Sendable, Hashable {
    /// Names the flows in the store: no two kinds have the same.
    package let name: String
    /// Names the flow in the browser's cookie: one letter that no other kind has.
    let letter: String
}
