import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    /// Those that a node was about to send, when no node that could be is left.
    package func freeMails(_ connection: Connection) throws {
        try connection.later("UPDATE outbox SET due_at = created_at, leased_by = NULL WHERE leased_by IS NOT NULL", [])
    }

    package func mailSent(id: String) async throws {
        _ = try await writePlain { try $0.run("DELETE FROM outbox WHERE id = $1", [id]) }
    }

    package func mailFailed(id: String, node: String, reason: String, retryAt: Date?) async throws {
        _ = try await writePlain { connection in
            try connection.run(
                "UPDATE outbox SET due_at = $1, failure = $2, leased_by = NULL WHERE id = $3 AND leased_by = $4",
                [retryAt?.ms, reason, id, node])
        }
    }

    package func mailPutBack(id: String, node: String, reason: String, retryAt: Date) async throws {
        _ = try await writePlain { connection in
            try connection.run(
                """
                UPDATE outbox SET due_at = $1, failure = $2, attempts = greatest(0, attempts - 1), leased_by = NULL
                WHERE id = $3 AND leased_by = $4
                """,
                [retryAt.ms, reason, id, node])
        }
    }

    package func nextMailDue() async throws -> Date? {
        try await readOne { connection in
            try connection.one("SELECT min(due_at) AS due FROM outbox WHERE due_at < \(QueuedMail.neverDue)")?
                .dateIfAny("due")
        }
    }

    func insert(_ mail: QueuedMail, _ connection: Connection) throws {
        try connection.later(
            """
            INSERT INTO outbox (id, sealed, created_at, due_at, recipient, domain, urgent)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                mail.id, mail.sealed, mail.createdAt.ms, mail.createdAt.ms, mail.recipient, mail.domain,
                mail.isUrgent,
            ]
        )
    }
}

extension QueuedMail {
    /// Marks the row of a mail that nobody gets; it goes with the next purge.
    package static let toNobody = "nobody"
    /// When such a mail is due, in milliseconds: in the year 9999. It stands in the index of due
    /// mails like any other, as a page less to write would tell that there is no account.
    package static let neverDue: Int64 = 253_402_300_799_000

    /// A row whose try has been counted already.
    package init(taken row: some SQLRow) throws {
        self.init(
            id: try row["id"], sealed: try row["sealed"], createdAt: try row.date("created_at"),
            attempts: try row["attempts"] - 1, recipient: try row["recipient"] ?? [],
            domain: try row["domain"] ?? [], isUrgent: try row["urgent"]
        )
    }
}
