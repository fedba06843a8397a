import Essentials
package import Foundation
import GRDB
package import Vestibule

extension CodeFlowKind {
    /// Each kind has a table of its own, with the same columns for the code.
    fileprivate var table: String { "pending_\(name)" }
}

extension Database {
    /// The flow's row, if the flow has not ended.
    func pending(_ kind: CodeFlowKind, _ flow: TokenDigest, _ now: Date) throws -> Row? {
        try Row.fetchOne(
            self, cachedSQL: "SELECT * FROM \(kind.table) WHERE flow = ? AND expires_at > ?",
            [flow.bytes.data, now.ms]
        )
    }
}

extension PendingCode {
    /// `email` where the table has no such column.
    init(row: Row, email: EmailAddress? = nil) {
        self.init(
            flow: TokenDigest(bytes: row.bytes("flow")), email: email ?? EmailAddress(row: row),
            digest: CodeDigest(bytes: row.bytes("code_digest")), codeExpiresAt: row.date("code_expires_at"),
            expiresAt: row.date("expires_at"), attempts: row["attempts"]
        )
    }
}

extension SQLiteStore {
    package func wrongCodes(now: Date) async throws -> Int {
        try await read { try wrongCodes(now, $0) }
    }

    package func renewCode(_ renewal: CodeRenewal, of kind: CodeFlowKind, now: Date) async throws -> Bool {
        try await write { database in
            let row = try Row.fetchOne(
                database,
                cachedSQL: """
                    UPDATE \(kind.table) SET code_digest = ?, code_expires_at = ?
                    WHERE flow = ? AND expires_at > ? AND attempts < ? RETURNING *
                    """,
                [
                    renewal.digest.bytes.data, renewal.codeExpiresAt.ms, renewal.flow.bytes.data, now.ms,
                    Code.attempts,
                ]
            )
            guard let row else { return false }
            try replaceTraces(of: row, renewal, kind, database)
            try queue(renewal.mail, for: row["email_key"], database)
            return true
        }
    }

    /// What a flow keeps besides of the code before: a proof that it was right, or its mail.
    private func replaceTraces(
        of row: Row, _ renewal: CodeRenewal, _ kind: CodeFlowKind, _ database: Database
    ) throws {
        if row.hasColumn("proved") {
            try database.run("UPDATE \(kind.table) SET proved = 0 WHERE flow = ?", [renewal.flow.bytes.data])
        }
        if row.hasColumn("mail_id"), case .certain(let mail) = renewal.mail {
            try database.run(
                "UPDATE \(kind.table) SET mail_id = ? WHERE flow = ?", [mail.id, renewal.flow.bytes.data])
        }
    }

    func queue(_ mail: CodeMail, for emailKey: String, _ database: Database) throws {
        switch mail {
        case .certain(let mail): try insert(mail, database)
        case .either(let mails):
            try insert(isTaken(emailKey, database) ? mails.whenTaken : mails.whenFree, database)
        case .toOwner(let mail): try queueReset(mail, for: emailKey, database)
        }
    }

    /// Uses up one attempt in one statement; returns the row when the code was right and may still
    /// be used. A wrong one is counted: for the flow, for the address in a row, and for the whole
    /// site.
    func redeem(
        _ kind: CodeFlowKind, _ flow: TokenDigest, _ attempt: CodeAttempt, _ now: Date, _ database: Database
    ) throws -> Row? {
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                UPDATE \(kind.table) SET attempts = attempts + 1
                WHERE flow = ? AND code_expires_at > ? AND attempts < ? RETURNING *
                """,
            [flow.bytes.data, now.ms, Code.attempts]
        )
        guard let row else { return nil }
        let isAdmitted = try isAdmitted(attempt, emailKey: row["email_key"], now, database)
        if isAdmitted, attempt.digests.contains(CodeDigest(bytes: row.bytes("code_digest"))) { return row }
        try note(attempt, emailKey: row["email_key"], now, database)
        return nil
    }

    /// Whether a code of that length still works; decided with what it counts, so that many at once
    /// get no more tries.
    private func isAdmitted(
        _ attempt: CodeAttempt, emailKey: String, _ now: Date, _ database: Database
    ) throws -> Bool {
        guard let limit = attempt.limit else { return true }
        let site = try wrongCodes(now, database)
        let record = try loginRecord(emailKey, attempt.failuresKey, database)
        return limit.admits(site: site, inARow: record.failuresInARow)
    }

    private func note(_ attempt: CodeAttempt, emailKey: String, _ now: Date, _ database: Database) throws {
        let owner = try Row.fetchOne(
            database, cachedSQL: "SELECT id FROM accounts WHERE email_key = ?", [emailKey])
        let accountID = attempt.failure.accountID ?? owner?["id"]
        try note(
            accountID.map(attempt.failure.of) ?? attempt.failure, failuresKey: attempt.failuresKey,
            hasAccount: owner != nil, database)
        try database.run(
            """
            INSERT INTO wrong_codes (hour, count) VALUES (?, 1) ON CONFLICT (hour) DO UPDATE SET count = count + 1
            """,
            [now.ms / FailureCount.hour]
        )
    }

    private func wrongCodes(_ now: Date, _ database: Database) throws -> Int {
        let row = try Row.fetchOne(
            database,
            cachedSQL: "SELECT coalesce(sum(count), 0) AS count FROM wrong_codes WHERE hour BETWEEN ?1 - 24 AND ?1",
            [now.ms / FailureCount.hour]
        )
        return row?["count"] ?? 0
    }
}
