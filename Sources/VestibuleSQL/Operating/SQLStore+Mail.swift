import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func takeDueMail(among choice: MailChoice, now: Date, lease: MailLease) async throws -> QueuedMail? {
        let due = DueMails(choice, now: now)
        // Most rounds find nothing, and must not write.
        let isAny = try await readOne { connection in
            try connection.one("SELECT 1 FROM outbox WHERE \(due.condition) LIMIT 1", due.parameters) != nil
        }
        guard isAny else { return nil }
        return try await write(.plain) { connection in
            try connection.one(
                """
                UPDATE outbox SET due_at = $5, attempts = attempts + 1, leased_by = $6
                WHERE id = coalesce(\(due.firstOfEachTurn))
                RETURNING id, sealed, created_at, attempts, recipient, domain, urgent
                """,
                due.parameters + [lease.until.ms, lease.node]
            ).map(QueuedMail.init(taken:))
        }
    }

    /// Mails and signals that a node was about to send, when no node that could be is left. The one
    /// that starts may be sending signals already.
    package func freeMails(besides node: Node, _ connection: Connection) throws {
        try connection.later("UPDATE outbox SET due_at = created_at, leased_by = NULL WHERE leased_by IS NOT NULL", [])
        try connection.later("UPDATE signals SET due_at = 0, leased_by = NULL WHERE leased_by <> $1", [node.id])
    }

    package func mailSent(id: String) async throws {
        try await change(.plain, "DELETE FROM outbox WHERE id = $1", [id])
    }

    package func mailFailed(id: String, node: String, reason: String, retryAt: Date?) async throws {
        try await change(
            .plain, "UPDATE outbox SET due_at = $1, failure = $2, leased_by = NULL WHERE id = $3 AND leased_by = $4",
            [retryAt?.ms, reason, id, node])
    }

    package func mailPutBack(id: String, node: String, reason: String, retryAt: Date) async throws {
        try await change(
            .plain,
            """
            UPDATE outbox SET due_at = $1, failure = $2, attempts = greatest(0, attempts - 1), leased_by = NULL
            WHERE id = $3 AND leased_by = $4
            """,
            [retryAt.ms, reason, id, node])
    }

    package func untriedMailDue() async throws -> Date? {
        try await selectOne(
            "SELECT min(due_at) AS due FROM outbox WHERE due_at < \(QueuedMail.neverDue) AND failure IS NULL"
        ) { try $0.dateIfAny("due") } ?? nil
    }

    func insert(_ mail: QueuedMail, _ connection: Connection) throws {
        try connection.insert(
            into: "outbox", "id, sealed, created_at, due_at, recipient, domain, urgent",
            [
                mail.id, mail.sealed, mail.createdAt.ms, mail.createdAt.ms, mail.recipient, mail.domain,
                mail.isUrgent,
            ])
    }
}

extension QueuedMail {
    /// Marks the row of a mail that nobody gets; it goes with the next purge.
    static let toNobody = "nobody"
    /// When such a mail is due, in milliseconds: in the year 9999. It stands in the index of due
    /// mails like any other, as a page less to write would tell that there is no account.
    static let neverDue: Int64 = 253_402_300_799_000

    /// A row whose try has been counted already.
    fileprivate init(taken row: some SQLRow) throws {
        self.init(
            id: try row["id"], sealed: try row["sealed"], createdAt: try row.date("created_at"),
            attempts: try row["attempts"] - 1, recipient: try row["recipient"] ?? [],
            domain: try row["domain"] ?? [], isUrgent: try row["urgent"]
        )
    }
}

/// The rows of mails that are due and among the choice, as a condition.
private struct DueMails: Sendable {
    /// 0 for codes, 1 for the rest; two more for mails whose last try failed, and those whose
    /// server ended during four tries, as the mail may be why. The index `outbox_by_turn` has
    /// these words.
    private static let turn = """
        CASE WHEN attempts > 3 OR attempts > 0 AND failure IS NOT NULL THEN 2 ELSE 0 END
        + CASE WHEN urgent THEN 0 ELSE 1 END
        """
    let condition: String
    /// For `$1` to `$4`.
    let parameters: [any SQLParameter]

    init(_ choice: MailChoice, now: Date) {
        let (word, domains) =
            switch choice.domains {
            case .except(let domains): ("<> ALL", domains)
            case .only(let domains): ("= ANY", domains)
            }
        // As digits: SQLite's arrays are JSON, which has no bytes.
        condition = """
            (due_at <= $1 OR due_at > $2 AND due_at < \(QueuedMail.neverDue))
            AND coalesce(encode(domain, 'hex'), '') \(word) ($3)
            AND coalesce(encode(recipient, 'hex'), '') <> ALL ($4)
            """
        let latest = now.addingTimeInterval(TimeInterval(QueuedMail.longestWait.components.seconds))
        parameters = [now.ms, latest.ms, domains.map(Hex.text), choice.notTo.map(Hex.text)]
    }

    /// A question for each turn, of which one is asked if those before found nothing. The index
    /// answers each without a sort, which would cost more with each mail that waits. A code that
    /// failed goes before what only tells, as it works for minutes; not one that may have ended
    /// servers.
    var firstOfEachTurn: String {
        ["0", "2 AND failure IS NOT NULL AND attempts <= 3", "1", "2", "3"].map { turn in
            """
            (SELECT id FROM outbox WHERE \(Self.turn) = \(turn) AND due_at < \(QueuedMail.neverDue) AND \(condition)
            ORDER BY due_at, number LIMIT 1 FOR UPDATE SKIP LOCKED)
            """
        }.joined(separator: ", ")
    }
}
