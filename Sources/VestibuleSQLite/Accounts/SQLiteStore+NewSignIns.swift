import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func queueSignInSummaries(
        now: Date, compose: @escaping @Sendable (Account, [SecurityEvent]) throws -> QueuedMail
    ) async throws -> Int {
        // Most rounds find nothing, and must not write.
        let isDue = try await read { database in
            try Row.fetchOne(database, cachedSQL: "SELECT 1 FROM sign_in_summaries WHERE due_at <= ?", [now.ms]) != nil
        }
        guard isDue else { return 0 }
        return try await write { database in
            let due = try Row.fetchAll(
                database, sql: "DELETE FROM sign_in_summaries WHERE due_at <= ? RETURNING account_id, since",
                arguments: [now.ms]
            )
            for row in due { try summarize(row["account_id"], since: row.date("since"), compose, database) }
            return due.count
        }
    }

    /// Queues the mail, or leaves it to a summary when there were too many; to be called before the event is kept. Returns
    /// whether the mail was queued.
    func tell(_ notice: NewSignInNotice, _ accountID: String, _ database: Database) throws -> Bool {
        let earlier = try Row.fetchOne(
            database,
            // However many there were: a script that signs in all day must not make each sign-in dearer.
            cachedSQL: """
                SELECT count(*) AS count FROM (
                    SELECT 1 FROM security_events WHERE account_id = ? AND at > ? AND kind = ? LIMIT ?
                )
                """,
            [accountID, notice.since.ms, SecurityEvent.Kind.loginNewDevice.name, notice.mailsAtMost]
        )
        guard (earlier?["count"] ?? 0) >= notice.mailsAtMost else {
            try insert(notice.mail(), database)
            return true
        }
        try database.run(
            "INSERT INTO sign_in_summaries (account_id, since, due_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [accountID, notice.at.ms, notice.summaryDueAt.ms]
        )
        return false
    }

    private func summarize(
        _ accountID: String, since: Date, _ compose: (Account, [SecurityEvent]) throws -> QueuedMail,
        _ database: Database
    ) throws {
        let account = try Row.fetchOne(
            database, cachedSQL: "SELECT * FROM accounts WHERE id = ?", [accountID]
        ).map(Account.init(row:))
        let events = try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM security_events WHERE account_id = ? AND kind = ? AND at >= ? ORDER BY at LIMIT 100
                """,
            arguments: [accountID, SecurityEvent.Kind.loginNewDevice.name, since.ms]
        ).map(SecurityEvent.init(row:))
        guard let account, !events.isEmpty else { return }
        try insert(compose(account, events), database)
    }
}
