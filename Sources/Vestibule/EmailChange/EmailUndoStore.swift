package import Foundation

/// What lets the owner of a former address take it back, for whoever holds the token mailed to it.
package struct EmailUndo: Sendable, Equatable {
    package static let lifetime: Duration = .seconds(7 * 86_400)

    package let token: TokenDigest
    package let accountID: String
    /// The former address.
    package let email: String
    package let emailKey: String
    package let createdAt: Date
    package let expiresAt: Date

    package init(
        token: TokenDigest, accountID: String, email: String, emailKey: String, createdAt: Date, expiresAt: Date
    ) {
        self.token = token
        self.accountID = accountID
        self.email = email
        self.emailKey = emailKey
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// What came of taking an address back.
package enum EmailUndoOutcome: Sendable, Equatable {
    /// The token is unknown, used or too old.
    case gone
    /// Another account has the address by now: everybody is signed out and the account is disabled.
    case locked
    case restored
}

/// The store's part of taking an address back.
package protocol EmailUndoStore: Sendable {
    /// The undo behind a token; `nil` when it is unknown, used or too old.
    func emailUndo(_ token: TokenDigest, now: Date) async throws -> EmailUndo?
    /// Restores the address, sets the password, ends every session and every later undo, and queues the notice: one
    /// transaction, once.
    func undoEmailChange(
        _ token: TokenDigest, passwordHash: PasswordHash, notice: QueuedMail, event: SecurityEvent, now: Date
    ) async throws -> EmailUndoOutcome
}
