package import Essentials
package import Foundation
import GRDB
package import Vestibule

/// What the operator sees of sessions, mails and events.
extension SQLiteStore {
    package func sessions(accountID: AccountID, now: Date) async throws -> [Session] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT *, id AS session_id, created_at AS started_at FROM sessions
                    WHERE account_id = ?1 AND expires_at > ?2 AND last_seen_at + idle_ms > ?2
                    ORDER BY last_seen_at DESC, id
                    """,
                arguments: [accountID, now.ms]
            ).map(Session.init(row:))
        }
    }

    package func endSessions(accountID: AccountID, event: SecurityEvent) async throws -> Int {
        try await write { database in
            try database.run("DELETE FROM sessions WHERE account_id = ?", [accountID])
            let count = database.changesCount
            if count > 0 { try insert(event, database) }
            return count
        }
    }

    package func outboxEntries(
        after position: OutboxPosition?, onlyFailed: Bool, limit: Int
    ) async throws -> [OutboxEntry] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM outbox
                    WHERE failure IS NOT '\(Self.mailToNobody)' AND (NOT ?1 OR due_at IS NULL)
                        AND (?2 IS NULL OR (created_at, id) < (?2, ?3))
                    ORDER BY created_at DESC, id DESC LIMIT ?4
                    """,
                arguments: [onlyFailed, position?.createdAt.ms, position?.id, limit]
            ).map(OutboxEntry.init(row:))
        }
    }

    package func outboxEntry(id: String) async throws -> OutboxEntry? {
        try await read { database in
            try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM outbox WHERE id = ? AND failure IS NOT '\(Self.mailToNobody)'", [id]
            ).map(OutboxEntry.init(row:))
        }
    }

    package func retryMails(ids: [String], now: Date) async throws -> Int {
        try await write { database in
            try ids.reduce(0) { count, id in
                try database.run(
                    """
                    UPDATE outbox SET due_at = ?1, attempts = 0, failure = NULL, leased_by = NULL
                    WHERE id = ?2 AND (leased_by IS NULL OR due_at <= ?1)
                    """,
                    [now.ms, id]
                )
                return count + database.changesCount
            }
        }
    }

    package func latestEvents(accountID: AccountID?, limit: Int) async throws -> [AuditEntry] {
        try await auditEntries(
            "\(Self.ofAccount(accountID)) ORDER BY at DESC, events.rowid DESC LIMIT ?2", accountID, Int64(limit))
    }

    package func events(since: Date, accountID: AccountID?) async throws -> [AuditEntry] {
        try await auditEntries(
            "\(Self.ofAccount(accountID)) AND at >= ?2 ORDER BY at, events.rowid", accountID, since.ms)
    }

    /// Two texts for two indexes.
    private static func ofAccount(_ accountID: AccountID?) -> String {
        accountID == nil ? "?1 IS NULL" : "account_id = ?1"
    }

    private func auditEntries(_ condition: String, _ accountID: AccountID?, _ second: Int64) async throws
        -> [AuditEntry]
    {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT events.*, email FROM security_events AS events
                        LEFT JOIN accounts ON accounts.id = account_id WHERE \(condition)
                        """
                ),
                arguments: [accountID, second]
            ).map { row in
                AuditEntry(event: SecurityEvent(row: row), email: row["email"])
            }
        }
    }
}

extension OutboxEntry {
    init(row: Row) {
        let due = row.dateIfAny("due_at")
        let isLeased = row["leased_by"] as String? != nil
        self.init(
            mail: QueuedMail(
                id: row["id"], sealed: row.bytes("sealed"), createdAt: row.date("created_at"), attempts: row["attempts"]
            ),
            state: due.map { isLeased ? .sending(until: $0) : .waiting(nextTry: $0) } ?? .failed,
            reason: row["failure"]
        )
    }
}
