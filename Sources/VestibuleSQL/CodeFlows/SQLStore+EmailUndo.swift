package import Essentials
package import Foundation
import PasswordHashing
package import Vestibule

extension SQLStore {
    package func emailUndo(_ token: TokenDigest, now: Date) async throws -> EmailUndoLink? {
        try await read { try undo(token, now, $0) }
    }

    package func addPendingEmailUndo(
        _ pending: PendingEmailUndo, replaces: TokenDigest?, mail: QueuedMail
    ) async throws {
        try await write(.plain) { connection in
            if let replaces { try end(.emailUndo, replaces, connection) }
            try connection.insert(pending.code, of: .emailUndo, "token", [pending.undo.token])
            try insert(mail, connection)
        }
    }

    package func pendingEmailUndo(flow: TokenDigest, now: Date) async throws -> PendingEmailUndo? {
        try await read { connection in
            guard let row = try connection.pending(.emailUndo, flow, now),
                let undo = try undo(TokenDigest(bytes: try row.bytes("token")), now, connection)
            else { return nil }
            return PendingEmailUndo(code: try PendingCode(row: row, email: undo.email), undo: undo)
        }
    }

    package func undoEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, restoration: EmailRestoration, now: Date
    ) async throws -> EmailUndoOutcome? {
        try await write(.urgent) { connection in
            guard let row = try redeem(.emailUndo, flow, attempt, now, connection) else { return nil }
            let token = TokenDigest(bytes: try row.bytes("token"))
            guard let undo = try undo(token, now, connection) else { return .gone }
            guard let account = try account(undo.accountID, connection), restoration.fits(account) else {
                throw Superseded()
            }
            try restoration.passwordHash.require(account.displayName)
            let isTaken = try isTaken(undo.email.key, by: undo.accountID, connection)
            // Who changed the address is out. An undo from before stays, as its owner may be
            // another victim; and this one where the address is taken: the other account may go.
            let undosSince = isTaken ? Date(ms: undo.createdAt.ms + 1) : undo.createdAt
            try carryOut(
                WaysInEnd(
                    .addressTakenBack, since: undo.removesFactorsSince, sinceOf: [.emailUndo: undosSince]),
                of: undo.accountID, connection)
            try endFactorUndo(of: undo.accountID, until: FactorUndoLink.expiry(from: now), connection)
            try forgetBrowsers(undo.accountID, now, connection)
            try insert(isTaken ? restoration.lockNotice : restoration.farewell, connection)
            guard !isTaken else {
                try connection.later("DELETE FROM pending_email_undos WHERE token = $1", [token])
                try lock(undo.accountID, restoration.locked, now, connection)
                return .locked
            }
            try restore(undo, restoration, connection)
            try passwordSet(of: undo.accountID, at: now, connection)
            return restoration.isDisabled ? .restoredDisabled : .restored
        }
    }

    /// An account that an operator has disabled stays so: nothing here touches `disabled_at`.
    private func restore(
        _ undo: EmailUndoLink, _ restoration: EmailRestoration, _ connection: Connection
    ) throws {
        try insert(restoration.event, connection)
        try connection.later(
            "UPDATE accounts SET email = $1, email_key = $2, password_hash = $3 WHERE id = $4",
            [undo.email.typed, undo.email.key, restoration.passwordHash.hash.phc, undo.accountID]
        )
        try forgetFailures(restoration.failuresKey, connection)
        try insert(restoration.notice, connection)
    }

    /// Nothing that opened the account does so when an operator has looked into it and enables it.
    private func lock(
        _ accountID: AccountID, _ event: SecurityEvent, _ now: Date, _ connection: Connection
    ) throws {
        try connection.later(
            "UPDATE accounts SET disabled_at = coalesce(disabled_at, $1), password_hash = NULL WHERE id = $2",
            [now.ms, accountID])
        try insert(event, connection)
    }

    private func undo(_ token: TokenDigest, _ now: Date, _ connection: Connection) throws -> EmailUndoLink? {
        try connection.one(
            """
            SELECT token, account_id, email, email_key, created_at, expires_at FROM email_undos
            WHERE token = $1 AND expires_at > $2
            """,
            [token, now.ms]
        ).map(EmailUndoLink.init(row:))
    }

    private func isTaken(_ emailKey: String, by other: AccountID, _ connection: Connection) throws -> Bool {
        try connection.one("SELECT 1 FROM accounts WHERE email_key = $1 AND id <> $2", [emailKey, other]) != nil
    }
}

extension EmailUndoLink {
    init(row: some SQLRow) throws {
        self.init(
            token: TokenDigest(bytes: try row.bytes("token")), accountID: try row["account_id"],
            email: try EmailAddress(row: row), createdAt: try row.date("created_at"),
            expiresAt: try row.date("expires_at")
        )
    }
}
