package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func takeDueMails(limit: Int, now: Date, leaseUntil: Date) async throws -> [QueuedMail] {
        // Most rounds find nothing, and must not write.
        guard let due = try await nextMailDue(), due <= now else { return [] }
        return try await write { database in
            try Row.fetchAll(
                database,
                sql: """
                    UPDATE outbox SET due_at = ?, attempts = attempts + 1, leased = 1
                    WHERE id IN (SELECT id FROM outbox WHERE due_at <= ? ORDER BY due_at LIMIT ?)
                    RETURNING id, sealed, created_at, attempts
                    """,
                arguments: [leaseUntil.ms, now.ms, limit]
            ).map { row in
                QueuedMail(
                    id: row["id"], sealed: row.bytes("sealed"), createdAt: row.date("created_at"),
                    attempts: row["attempts"] - 1
                )
            }
        }
    }

    package func releaseMails() async throws {
        try await write { database in
            try database.run("UPDATE outbox SET due_at = created_at, leased = 0 WHERE leased = 1")
        }
    }

    package func mailSent(id: String) async throws {
        try await write { database in
            try database.run("DELETE FROM outbox WHERE id = ?", [id])
        }
    }

    package func mailFailed(id: String, reason: String, retryAt: Date?) async throws {
        try await write { database in
            try database.run(
                "UPDATE outbox SET due_at = ?, failure = ?, leased = 0 WHERE id = ?",
                [retryAt?.ms, reason, id]
            )
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
            "INSERT INTO outbox (id, sealed, created_at, due_at, recipient) VALUES (?, ?, ?, ?, ?)",
            [mail.id, mail.sealed.data, mail.createdAt.ms, mail.createdAt.ms, mail.recipient.data]
        )
    }
}
