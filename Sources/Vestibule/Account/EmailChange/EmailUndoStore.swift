package import Essentials
package import Foundation

/// What lets the holder of a token that was mailed to a former address take it back.
package struct EmailUndoLink: Sendable, Equatable {
    static let lifetime: Duration = .seconds(7 * 86_400)

    package let token: TokenDigest
    package let accountID: AccountID
    /// The former address.
    package let email: EmailAddress
    package let createdAt: Date
    package let expiresAt: Date

    package init(
        token: TokenDigest, accountID: AccountID, email: EmailAddress, createdAt: Date, expiresAt: Date
    ) {
        self.token = token
        self.accountID = accountID
        self.email = email
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Since when factors are removed by this undo: since three days before the change. Who changed
    /// the address may have added them first, and the former mailbox could still take back a first
    /// one (`FactorUndo`).
    package var removesFactorsSince: Date { createdAt.addingTimeInterval(-FactorUndoLink.lifetime) }

    func keeps(_ passkey: Passkey) -> Bool {
        passkey.isSecondFactor && passkey.countsSince < removesFactorsSince
    }
}

extension CodeFlowKind {
    package static let emailUndo = CodeFlowKind(name: "email_undos", letter: "u")
}

/// A code that was mailed to a former address, to take it back.
package struct PendingEmailUndo: CodeFlow, Equatable {
    package let code: PendingCode
    package let undo: EmailUndoLink

    package init(code: PendingCode, undo: EmailUndoLink) {
        self.code = code
        self.undo = undo
    }
}

/// Everything that taking an address back writes.
package struct EmailRestoration: Sendable {
    package let passwordHash: JudgedHash
    package let failuresKey: [UInt8]
    /// To the restored address.
    package let notice: QueuedMail
    /// The account as the mails tell of it, with the address that is displaced.
    package let displaced: Account
    /// To its address, when the account has its former address again.
    package let farewell: QueuedMail
    /// To its address, when it keeps a locked account.
    package let lockNotice: QueuedMail
    package let event: SecurityEvent
    /// Instead of `event` when another account has the address.
    package let locked: SecurityEvent

    /// An account that an operator has disabled stays so, and the notice says it.
    package var isDisabled: Bool { displaced.disabledAt != nil }

    /// Whether what the mails say is true of the account.
    package func fits(_ account: Account) -> Bool {
        account.email == displaced.email && (account.disabledAt != nil) == isDisabled
    }
}

/// What came of taking an address back.
package enum EmailUndoOutcome: Sendable, Equatable {
    /// The undo is used or too old.
    case gone
    /// Another account has the address by now: everybody is signed out, the account is disabled and
    /// has no password. The undo stays.
    case locked
    case restored
    /// As `restored`; the account was disabled and stays so.
    case restoredDisabled
}

/// The store's part of taking an address back.
package protocol EmailUndoStore: Sendable {
    /// The undo behind a token; `nil` when it is unknown, used or too old.
    func emailUndo(_ token: TokenDigest, now: Date) async throws -> EmailUndoLink?
    /// Keeps a code flow, ends the one the same browser had before, and queues the mail: one
    /// transaction.
    func addPendingEmailUndo(_ pending: PendingEmailUndo, replaces: TokenDigest?, mail: QueuedMail) async throws
    /// The code flow of a browser; `nil` when there is none that has not ended, or when its undo
    /// has.
    func pendingEmailUndo(flow: TokenDigest, now: Date) async throws -> PendingEmailUndo?
    /// Uses up one attempt; with a right code it restores the address, sets the password, clears
    /// the failures in a row, ends what `WayIn.fate` says that it ends, of factors those since
    /// `removesFactorsSince`, and queues the notice and a word to the address that was displaced:
    /// one transaction, once. Returns `nil` for a wrong, expired or used code. Throws `Superseded`
    /// when the account has another address by now than the farewell is for, or was disabled or
    /// enabled meanwhile, and `NameUnjudged` when the code is right and the password was not judged
    /// with the account's name; then nothing was written.
    func undoEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, restoration: EmailRestoration, now: Date
    ) async throws -> EmailUndoOutcome?
}
