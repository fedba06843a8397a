import Essentials
package import Foundation
import GRDB
import NIOPosix
package import Vestibule
import VestibuleSQL

extension SQLiteStore {
    package func takeDueMails(
        limit: Int, among choice: MailChoice, now: Date, lease: MailLease
    ) async throws -> [QueuedMail] {
        let due = DueMails(choice, now: now)
        // Most rounds find nothing, and must not write.
        let isAny = try await read { database in
            try database.one("SELECT 1 FROM outbox WHERE \(due.condition) LIMIT 1", due.parameters) != nil
        }
        guard isAny else { return [] }
        return try await write { database in
            try database.all(
                """
                UPDATE outbox SET due_at = $5, attempts = attempts + 1, leased_by = $6
                WHERE id IN (
                    SELECT id FROM outbox WHERE \(due.condition)
                    ORDER BY attempts > 0, NOT urgent, due_at, number LIMIT $7
                ) RETURNING id, sealed, created_at, attempts, recipient, domain, urgent
                """,
                due.parameters + [lease.until.ms, lease.node, limit]
            ).map(QueuedMail.init(taken:))
        }
    }

    /// The kernel knows better than a table which nodes there are: one that was killed counts no
    /// more.
    package func releaseMails(startedBy _: Node, now: Date) async throws {
        let isAlone = node?.isAlone() ?? true
        do {
            if isAlone { try await write { try freeMails($0) } }
        } catch {
            try await joinNodes()
            throw error
        }
        try await joinNodes()
    }

    /// On a thread that may wait.
    private func joinNodes() async throws {
        try await writer.runIfActive { [node] in node?.join() }
    }
}

/// The rows of mails that are due and among the choice, as a condition.
private struct DueMails: Sendable {
    /// The same words for any number of domains and recipients, as each text is prepared and kept.
    let condition: String
    /// For `$1` to `$4`.
    let parameters: [any SQLParameter]

    init(_ choice: MailChoice, now: Date) {
        let (word, domains) =
            switch choice.domains {
            case .except(let domains): ("NOT IN", domains)
            case .only(let domains): ("IN", domains)
            }
        // As digits: JSON has no bytes.
        condition = """
            (due_at <= $1 OR due_at > $2 AND due_at < \(QueuedMail.neverDue))
            AND lower(hex(ifnull(domain, x''))) \(word) (SELECT value FROM json_each($3))
            AND lower(hex(ifnull(recipient, x''))) NOT IN (SELECT value FROM json_each($4))
            """
        let latest = now.addingTimeInterval(TimeInterval(QueuedMail.longestWait.components.seconds))
        parameters = [now.ms, latest.ms, domains.map(Hex.text), choice.notTo.map(Hex.text)]
    }
}
