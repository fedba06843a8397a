package import Essentials
package import Foundation
import GRDB
import PasswordHashing
package import Vestibule

extension SQLiteStore {
    package func emailUndo(_ token: TokenDigest, now: Date) async throws -> EmailUndoLink? {
        try await read { try undo(token, now, $0) }
    }

    package func addPendingEmailUndo(
        _ pending: PendingEmailUndo, replaces: TokenDigest?, mail: QueuedMail
    ) async throws {
        try await write { database in
            if let replaces {
                try database.run("DELETE FROM pending_email_undos WHERE flow = ?", [replaces.bytes.data])
            }
            try database.run(
                """
                INSERT INTO pending_email_undos (flow, token, email_key, code_digest, code_expires_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    pending.code.flow.bytes.data, pending.undo.token.bytes.data, pending.code.email.key,
                    pending.code.digest.bytes.data, pending.code.codeExpiresAt.ms, pending.code.expiresAt.ms,
                ]
            )
            try insert(mail, database)
        }
    }

    package func pendingEmailUndo(flow: TokenDigest, now: Date) async throws -> PendingEmailUndo? {
        try await read { database in
            guard let row = try database.pending(.emailUndo, flow, now),
                let undo = try undo(TokenDigest(bytes: row.bytes("token")), now, database)
            else { return nil }
            return PendingEmailUndo(code: PendingCode(row: row, email: undo.email), undo: undo)
        }
    }

    package func displacedAccount(by undo: EmailUndoLink) async throws -> Account? {
        try await read { try account(undo.accountID, $0) }
    }

    package func undoEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, restoration: EmailRestoration, now: Date
    ) async throws -> EmailUndoOutcome? {
        try await write { database in
            guard let row = try redeem(.emailUndo, flow, attempt, now, database) else { return nil }
            let token = TokenDigest(bytes: row.bytes("token"))
            guard let undo = try undo(token, now, database) else { return .gone }
            let farewell = restoration.farewell
            guard try account(undo.accountID, database)?.email == farewell.email else { throw Superseded() }
            let since = undo.removesFactorsSince(try factors(undo.accountID, database))
            // Who changed the address is out. An undo from before stays, as its owner may be
            // another victim.
            try carryOut(
                WaysInEnd(.addressTakenBack, since: since, sinceOf: [.emailUndo: undo.createdAt]), of: undo.accountID,
                database)
            try forgetBrowsers(undo.accountID, now, database)
            let isTaken = try isTaken(undo.email.key, by: undo.accountID, database)
            try insert(isTaken ? farewell.whenLocked : farewell.whenRestored, database)
            guard !isTaken else {
                try lock(undo.accountID, restoration.locked, now, database)
                return .locked
            }
            try insert(restoration.event, database)
            try database.run(
                "UPDATE accounts SET email = ?, email_key = ?, password_hash = ? WHERE id = ?",
                [undo.email.typed, undo.email.key, restoration.passwordHash.phc, undo.accountID]
            )
            try passwordSet(of: undo.accountID, at: now, database)
            try database.run("DELETE FROM login_failures WHERE key = ?", [restoration.failuresKey.data])
            try insert(restoration.notice, database)
            return .restored
        }
    }

    /// Nothing that opened the account does so when an operator has looked into it and enables it.
    private func lock(_ accountID: AccountID, _ event: SecurityEvent, _ now: Date, _ database: Database) throws {
        try database.run(
            "UPDATE accounts SET disabled_at = ?, password_hash = NULL WHERE id = ?", [now.ms, accountID])
        try insert(event, database)
    }

    private func undo(_ token: TokenDigest, _ now: Date, _ database: Database) throws -> EmailUndoLink? {
        try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT email_undos.* FROM email_undos JOIN accounts ON accounts.id = account_id
                WHERE token = ? AND expires_at > ? AND disabled_at IS NULL
                """,
            [token.bytes.data, now.ms]
        ).map(EmailUndoLink.init(row:))
    }

    private func account(_ id: AccountID, _ database: Database) throws -> Account? {
        try Row.fetchOne(database, cachedSQL: "SELECT \(Account.columns) FROM accounts WHERE id = ?", [id]).map(
            Account.init(row:))
    }

    private func isTaken(_ emailKey: String, by other: AccountID, _ database: Database) throws -> Bool {
        try Row.fetchOne(
            database, cachedSQL: "SELECT 1 FROM accounts WHERE email_key = ? AND id <> ?", [emailKey, other]
        ) != nil
    }
}

extension EmailUndoLink {
    init(row: Row) {
        self.init(
            token: TokenDigest(bytes: row.bytes("token")), accountID: row["account_id"],
            email: EmailAddress(row: row), createdAt: row.date("created_at"), expiresAt: row.date("expires_at")
        )
    }
}
