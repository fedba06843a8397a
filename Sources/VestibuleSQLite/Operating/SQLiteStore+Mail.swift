import Essentials
package import Foundation
import GRDB
import NIOPosix
package import Vestibule

extension SQLiteStore {
    package func takeDueMails(
        limit: Int, among choice: MailChoice, now: Date, lease: MailLease
    ) async throws -> [QueuedMail] {
        let due = DueMails(choice, now: now)
        // Most rounds find nothing, and must not write.
        let isAny = try await read { database in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM outbox WHERE \(due.condition))", arguments: due.arguments)
        }
        guard isAny == true else { return [] }
        return try await write { database in
            try Row.fetchAll(
                database,
                sql: """
                    UPDATE outbox SET due_at = ?, attempts = attempts + 1, leased_by = ?
                    WHERE id IN (
                        SELECT id FROM outbox WHERE \(due.condition)
                        ORDER BY attempts > 0, urgent = 0, due_at, rowid LIMIT ?
                    ) RETURNING id, sealed, created_at, attempts, recipient, domain, urgent
                    """,
                arguments: [lease.until.ms, lease.node] + due.arguments + [limit]
            ).map(QueuedMail.init(taken:))
        }
    }

    /// The kernel knows better than a table which nodes there are: one that was killed counts no
    /// more.
    package func releaseMails(startedBy _: Node, now: Date) async throws {
        let isAlone = node?.isAlone() ?? true
        do {
            if isAlone { try await freeMails() }
        } catch {
            try await joinNodes()
            throw error
        }
        try await joinNodes()
    }

    private func freeMails() async throws {
        try await write { database in
            try database.run("UPDATE outbox SET due_at = created_at, leased_by = NULL WHERE leased_by IS NOT NULL")
        }
    }

    /// On a thread that may wait.
    private func joinNodes() async throws {
        try await writer.runIfActive { [node] in node?.join() }
    }

    package func mailSent(id: String) async throws {
        try await write { database in
            try database.run("DELETE FROM outbox WHERE id = ?", [id])
        }
    }

    package func mailFailed(id: String, node: String, reason: String, retryAt: Date?) async throws {
        try await write { database in
            try database.run(
                "UPDATE outbox SET due_at = ?, failure = ?, leased_by = NULL WHERE id = ? AND leased_by = ?",
                [retryAt?.ms, reason, id, node]
            )
        }
    }

    package func mailPutBack(id: String, node: String, reason: String, retryAt: Date) async throws {
        try await write { database in
            try database.run(
                """
                UPDATE outbox SET due_at = ?, failure = ?, attempts = max(0, attempts - 1), leased_by = NULL
                WHERE id = ? AND leased_by = ?
                """,
                [retryAt.ms, reason, id, node])
        }
    }

    package func nextMailDue() async throws -> Date? {
        try await read { database in
            try Int64.fetchOne(database, sql: "SELECT min(due_at) FROM outbox WHERE due_at < \(Self.neverDue)")
                .map(Date.init(ms:))
        }
    }

    func insert(_ mail: QueuedMail, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO outbox (id, sealed, created_at, due_at, recipient, domain, urgent) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                mail.id, mail.sealed.data, mail.createdAt.ms, mail.createdAt.ms, mail.recipient.data,
                mail.domain.data, mail.isUrgent,
            ]
        )
    }
}

/// The rows of mails that are due and among the choice, as a condition.
private struct DueMails: Sendable {
    let condition: String
    let arguments: StatementArguments

    init(_ choice: MailChoice, now: Date) {
        let (word, domains) =
            switch choice.domains {
            case .except(let domains): ("NOT IN", domains)
            case .only(let domains): ("IN", domains)
            }
        condition = """
            (due_at <= ? OR due_at > ? AND due_at < \(SQLiteStore.neverDue))
            AND ifnull(domain, x'') \(word) (\(Self.marks(domains.count)))
            AND ifnull(recipient, x'') NOT IN (\(Self.marks(choice.notTo.count)))
            """
        let latest = now.addingTimeInterval(TimeInterval(QueuedMail.longestWait.components.seconds))
        arguments =
            [now.ms, latest.ms] + StatementArguments(domains.map(\.data)) + StatementArguments(choice.notTo.map(\.data))
    }

    private static func marks(_ count: Int) -> String {
        repeatElement("?", count: count).joined(separator: ", ")
    }
}

extension QueuedMail {
    /// A row whose try has been counted already.
    fileprivate init(taken row: Row) {
        self.init(
            id: row["id"], sealed: row.bytes("sealed"), createdAt: row.date("created_at"),
            attempts: row["attempts"] - 1, recipient: [UInt8](row["recipient"] as Data? ?? Data()),
            domain: [UInt8](row["domain"] as Data? ?? Data()), isUrgent: row["urgent"]
        )
    }
}
