package import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func addPendingEmailChange(
        _ pending: PendingEmailChange, by session: PresentedSession, mail: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { database in
            try require(session, database)
            try database.run("DELETE FROM pending_email_changes WHERE account_id = ?", [pending.accountID])
            try database.run(
                """
                INSERT INTO pending_email_changes (
                    flow, account_id, email, email_key, code_digest, code_expires_at, expires_at, mail_id
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    pending.code.flow.bytes.data, pending.accountID, pending.code.email.typed, pending.code.email.key,
                    pending.code.digest.bytes.data, pending.code.codeExpiresAt.ms, pending.code.expiresAt.ms,
                    mail.id,
                ]
            )
            try insert(mail, database)
            try insert(event, database)
        }
    }

    package func pendingEmailChange(flow: TokenDigest, now: Date) async throws -> PendingEmailChange? {
        try await read { try $0.pending(.emailChange, flow, now).map(PendingEmailChange.init(row:)) }
    }

    package func completeEmailChange(
        flow: TokenDigest, attempt: CodeAttempt, completion: EmailChangeCompletion, now: Date
    ) async throws -> EmailChangeOutcome {
        try await write { database in
            let row = try redeem(.emailChange, flow, attempt, now, database)
            guard let pending = row.map(PendingEmailChange.init(row:)) else { return .codeWrong }
            try database.run("DELETE FROM pending_email_changes WHERE flow = ?", [flow.bytes.data])
            guard try !isTaken(pending.code.email.key, database) else { return .taken }
            // Only from the address that the notice goes to: another change may have come first.
            try database.run(
                "UPDATE accounts SET email = ?, email_key = ?, verified_at = ? WHERE id = ? AND email_key = ?",
                [
                    pending.code.email.typed, pending.code.email.key, now.ms, pending.accountID,
                    completion.undo.email.key,
                ]
            )
            guard database.changesCount > 0 else { return .codeWrong }
            try endResets(of: pending.accountID, completion.undo.email.key, database)
            if try !returns(to: pending, database) { try insert(completion.undo, database) }
            try renew(completion.renewal, database)
            try insert(completion.notice, database)
            try insert(completion.event, database)
            return .changed
        }
    }

    /// Somebody who comes back to an address the account had lately undoes a change: nobody in
    /// between may undo that.
    private func returns(to pending: PendingEmailChange, _ database: Database) throws -> Bool {
        try database.run(
            """
            DELETE FROM email_undos WHERE account_id = ?1 AND created_at >=
                (SELECT min(created_at) FROM email_undos WHERE account_id = ?1 AND email_key = ?2)
            """,
            [pending.accountID, pending.code.email.key]
        )
        return database.changesCount > 0
    }

    private func insert(_ undo: EmailUndoLink, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO email_undos (token, account_id, email, email_key, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                undo.token.bytes.data, undo.accountID, undo.email.typed, undo.email.key, undo.createdAt.ms,
                undo.expiresAt.ms,
            ]
        )
    }
}

extension PendingEmailChange {
    init(row: Row) {
        self.init(code: PendingCode(row: row), accountID: row["account_id"])
    }
}
