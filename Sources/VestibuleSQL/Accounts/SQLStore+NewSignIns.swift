package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func dueSignInSummaries(now: Date) async throws -> [SignInSummary] {
        try await read { connection in
            try connection.all(
                """
                SELECT \(Account.columns), since, due_at FROM sign_in_summaries
                JOIN accounts ON accounts.id = account_id WHERE due_at <= $1
                ORDER BY due_at LIMIT 100
                """,
                [now.ms]
            ).map { row in
                let account = try Account(row: row)
                return SignInSummary(
                    account: account, dueAt: try row.date("due_at"),
                    signIns: try newSignIns(account.id, since: try row.date("since"), connection))
            }
        }
    }

    package func queueSignInSummaries(_ mails: [SignInSummaryMail]) async throws -> Int {
        try await write { connection in
            try mails.reduce(0) { count, mail in
                guard try isAsRead(mail.summary, connection) else { return count }
                try connection.later(
                    "DELETE FROM sign_in_summaries WHERE account_id = $1", [mail.summary.account.id])
                if let mail = mail.mail { try insert(mail, connection) }
                return count + 1
            }
        }
    }

    /// Whether the summary is still due, to the same address, about the same sign-ins.
    private func isAsRead(_ summary: SignInSummary, _ connection: Connection) throws -> Bool {
        let account = summary.account
        let row = try connection.one(
            """
            SELECT since FROM sign_in_summaries JOIN accounts ON accounts.id = account_id
            WHERE account_id = $1 AND due_at = $2 AND email = $3
            """,
            [account.id, summary.dueAt.ms, account.email.typed]
        )
        guard let row else { return false }
        let signIns = try newSignIns(account.id, since: try row.date("since"), connection)
        return signIns.map(\.id) == summary.signIns.map(\.id)
    }

    /// Queues the mail, or leaves it to a summary when there were too many; to be called before the
    /// event is kept. `goesToSummary` if that is known. Returns whether the mail was queued.
    func tell(
        _ notice: NewSignInNotice, _ accountID: AccountID, goesToSummary: Bool, _ connection: Connection
    ) throws -> Bool {
        guard try goesToSummary || isOneTooMany(notice, accountID, connection) else {
            try insert(notice.mail, connection)
            return true
        }
        try connection.later(
            "INSERT INTO sign_in_summaries (account_id, since, due_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            [accountID, notice.at.ms, notice.summaryDueAt.ms]
        )
        return false
    }

    /// Whether as many mails as may be were sent.
    package func isOneTooMany(
        _ notice: NewSignInNotice, _ accountID: AccountID, _ connection: Connection
    ) throws -> Bool {
        // However many there were: a script that signs in all day must not make each sign-in
        // dearer.
        let earlier = try connection.one(
            """
            SELECT count(*) AS count FROM (
                SELECT 1 FROM security_events WHERE account_id = $1 AND at > $2 AND kind = $3 LIMIT $4
            ) AS earlier
            """,
            [accountID, notice.since.ms, SecurityEvent.Kind.loginNewDevice.name, notice.mailsAtMost])
        return try earlier?["count"] ?? 0 >= notice.mailsAtMost
    }

    /// Milliseconds that a summary looks back before its first sign-in. Of sign-ins at once, one
    /// that began earlier may be stored later, or by a node whose clock is behind. Some are told
    /// twice.
    private static var slack: Int64 { 15_000 }

    private func newSignIns(
        _ accountID: AccountID, since: Date, _ connection: Connection
    ) throws -> [SecurityEvent] {
        try connection.all(
            """
            SELECT \(SecurityEvent.columns) FROM security_events WHERE account_id = $1 AND kind = $2 AND at >= $3
            ORDER BY at, number LIMIT 100
            """,
            [accountID, SecurityEvent.Kind.loginNewDevice.name, since.ms - Self.slack]
        ).map(SecurityEvent.init(row:))
    }
}
