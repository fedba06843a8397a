import Essentials
package import Foundation
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    package func takeDueMails(
        limit: Int, among choice: MailChoice, now: Date, lease: MailLease
    ) async throws -> [QueuedMail] {
        let due = DueMails(choice, now: now)
        // Most rounds find nothing, and must not write.
        let isAny = try await readOne { connection in
            try connection.one("SELECT 1 FROM outbox WHERE \(due.condition) LIMIT 1", due.parameters) != nil
        }
        guard isAny else { return [] }
        return try await writePlain { connection in
            try connection.all(
                """
                WITH due AS (
                    SELECT id FROM outbox WHERE \(due.condition)
                    ORDER BY attempts > 0, NOT urgent, due_at, number LIMIT $5 FOR UPDATE SKIP LOCKED
                )
                UPDATE outbox SET due_at = $6, attempts = attempts + 1, leased_by = $7
                FROM due WHERE outbox.id = due.id
                RETURNING outbox.id, sealed, created_at, attempts, recipient, domain, urgent
                """,
                due.parameters + [limit, lease.until.ms, lease.node]
            ).map(QueuedMail.init(taken:))
        }
    }

    /// The node is noted in the same transaction: the next one to start knows that it may have
    /// taken mails.
    package func releaseMails(startedBy node: Node, now: Date) async throws {
        try await write { connection in
            let other = try connection.one(
                "SELECT 1 FROM nodes WHERE id <> $1 AND last_seen_at > $2 LIMIT 1",
                [node.id, now.addingTimeInterval(-Node.silentAfter).ms])
            try note(node, now, connection)
            guard other == nil else { return }
            try freeMails(connection)
        }
    }
}

/// The rows of mails that are due and among the choice, as a condition.
private struct DueMails: Sendable {
    let condition: String
    /// For `$1` to `$4`.
    let parameters: [any SQLParameter]

    init(_ choice: MailChoice, now: Date) {
        let (operation, domains) =
            switch choice.domains {
            case .except(let domains): ("<> ALL", domains)
            case .only(let domains): ("= ANY", domains)
            }
        condition = """
            (due_at <= $1 OR due_at > $2 AND due_at < \(QueuedMail.neverDue))
            AND coalesce(domain, '') \(operation) ($3) AND coalesce(recipient, '') <> ALL ($4)
            """
        let latest = now.addingTimeInterval(TimeInterval(QueuedMail.longestWait.components.seconds))
        parameters = [now.ms, latest.ms, Array(domains), Array(choice.notTo)]
    }
}
