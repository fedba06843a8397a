package import Essentials
package import Foundation
package import Vestibule

/// What the operator sees of sessions, mails and events.
extension SQLStore {
    /// Writes what nobody reads, and waits for a standby: what cannot be acknowledged cannot work.
    package func checkWritable(now: Date) async throws {
        try await change(
            Self.hasStandby ? .plain : .relaxed,
            "INSERT INTO heartbeat (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET at = excluded.at", [now.ms])
    }

    package func sessions(accountID: AccountID, now: Date) async throws -> [Session] {
        try await readOne { try livingSessions(accountID, now, limit: .max, $0) }
    }

    package func endSessions(accountID: AccountID, event: SecurityEvent) async throws -> Int {
        try await write(.plain) { connection in
            let count = try connection.run("DELETE FROM sessions WHERE account_id = $1", [accountID])
            if count > 0 { try insert(event, connection) }
            return count
        }
    }

    package func outboxEntries(
        to recipients: [[UInt8]]?, after position: OutboxPosition?, onlyFailed: Bool, limit: Int
    ) async throws -> [OutboxEntry] {
        try await select(
            """
            SELECT \(OutboxEntry.columns) FROM outbox
            WHERE \(Self.isToSomebody) AND (NOT $1 OR due_at IS NULL)
                AND ($2 IS NULL OR (created_at, id) < ($2, $3))
                AND ($5 OR coalesce(encode(recipient, 'hex'), '') = ANY ($6))
            ORDER BY created_at DESC, id DESC LIMIT $4
            """,
            [
                onlyFailed, position?.createdAt.ms, position?.id, limit, recipients == nil,
                (recipients ?? []).map(Hex.text),
            ], OutboxEntry.init(row:))
    }

    private static var isToSomebody: String { "failure IS DISTINCT FROM '\(QueuedMail.toNobody)'" }

    package func outboxEntry(id: String) async throws -> OutboxEntry? {
        try await selectOne(
            "SELECT \(OutboxEntry.columns) FROM outbox WHERE id = $1 AND \(Self.isToSomebody)", [id],
            OutboxEntry.init(row:))
    }

    package func retryMails(ids: [String], now: Date) async throws -> Int {
        try await change(
            .plain,
            """
            UPDATE outbox SET due_at = $1, attempts = 0, failure = NULL, leased_by = NULL
            WHERE id = ANY ($2) AND (leased_by IS NULL OR due_at <= $1)
            """,
            [now.ms, ids])
    }

    package func latestEvents(accountID: AccountID?, kind: String?, limit: Int) async throws -> [AuditEntry] {
        try await auditEntries(
            "\(Self.ofAccount(accountID)) AND ($3 IS NULL OR kind = $3) ORDER BY at DESC, number DESC LIMIT $2",
            [accountID, limit, kind])
    }

    package func events(since: Date, accountID: AccountID?) async throws -> [AuditEntry] {
        try await auditEntries("\(Self.ofAccount(accountID)) AND at >= $2 ORDER BY at, number", [accountID, since.ms])
    }

    /// Two texts for two indexes.
    private static func ofAccount(_ accountID: AccountID?) -> String {
        accountID == nil ? "$1 IS NULL" : "account_id = $1"
    }

    private func auditEntries(_ condition: String, _ parameters: [any SQLParameter]) async throws -> [AuditEntry] {
        try await select(
            """
            SELECT \(SecurityEvent.columns), (SELECT email FROM accounts WHERE accounts.id = account_id) AS email
            FROM security_events WHERE \(condition)
            """,
            parameters
        ) { AuditEntry(event: try SecurityEvent(row: $0), email: try $0["email"]) }
    }
}

extension OutboxEntry {
    /// What `init(row:)` reads.
    static let columns = "id, sealed, created_at, due_at, attempts, failure, leased_by"

    /// Reads a row of `columns`.
    init(row: some SQLRow) throws {
        self.init(
            mail: QueuedMail(
                id: try row["id"], sealed: try row["sealed"], createdAt: try row.date("created_at"),
                attempts: try row["attempts"]),
            state: try State(row: row), reason: try row["failure"]
        )
    }
}

extension OutboxEntry.State {
    /// Of the columns `due_at` and `leased_by`.
    init(row: some SQLRow) throws {
        let isLeased = try row["leased_by"] as String? != nil
        self = try row.dateIfAny("due_at").map { isLeased ? .sending(until: $0) : .waiting(nextTry: $0) } ?? .failed
    }
}
