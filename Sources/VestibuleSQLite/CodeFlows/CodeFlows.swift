import Essentials
package import Foundation
import GRDB
import Vestibule

/// Flows that wait for a code: each a table of its own, with the same columns for the code.
enum CodeFlow: String {
    case signup = "pending_signups"
    case reset = "pending_resets"
    case emailChange = "pending_email_changes"
    case emailUndo = "pending_email_undos"
}

extension Database {
    /// The flow's row, if the flow has not ended.
    func pending(_ kind: CodeFlow, _ flow: TokenDigest, _ now: Date) throws -> Row? {
        try Row.fetchOne(
            self, cachedSQL: "SELECT * FROM \(kind.rawValue) WHERE flow = ? AND expires_at > ?",
            [flow.bytes.data, now.ms]
        )
    }

    /// Puts a new code in place of the old one, unless the flow has ended or has no attempts left; returns the row.
    func renewCode(
        _ kind: CodeFlow, _ flow: TokenDigest, _ code: CodeDigest, expiresAt: Date, _ now: Date
    ) throws -> Row? {
        try Row.fetchOne(
            self,
            cachedSQL: """
                UPDATE \(kind.rawValue) SET code_digest = ?, code_expires_at = ?
                WHERE flow = ? AND expires_at > ? AND attempts < ? RETURNING *
                """,
            [code.bytes.data, expiresAt.ms, flow.bytes.data, now.ms, Code.attempts]
        )
    }
}

extension SQLiteStore {
    package func wrongCodes(now: Date) async throws -> Int {
        try await read { try wrongCodes(now, $0) }
    }

    /// Uses up one attempt in one statement; returns the row when the code was right and may still be used. A wrong one is
    /// counted: for the flow, for the address in a row, and for the whole site.
    func redeem(
        _ kind: CodeFlow, _ flow: TokenDigest, _ attempt: CodeAttempt, _ now: Date, _ database: Database
    ) throws -> Row? {
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                UPDATE \(kind.rawValue) SET attempts = attempts + 1
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

    /// Whether a code of that length still works; decided with what it counts, so that many at once get no more tries.
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
            [now.ms / Self.hour]
        )
    }

    private func wrongCodes(_ now: Date, _ database: Database) throws -> Int {
        let row = try Row.fetchOne(
            database,
            cachedSQL: "SELECT coalesce(sum(count), 0) AS count FROM wrong_codes WHERE hour BETWEEN ?1 - 24 AND ?1",
            [now.ms / Self.hour]
        )
        return row?["count"] ?? 0
    }
}
