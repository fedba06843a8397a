import Essentials
package import Foundation
package import Vestibule

extension PostgresStore {
    package func dueSignInSummaries(now: Date) async throws -> [SignInSummary] {
        try await read { connection in
            try connection.all(
                """
                SELECT \(Account.columns), since, due_at FROM sign_in_summaries
                JOIN accounts ON accounts.id = account_id WHERE due_at <= $1
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
                connection.later(
                    "DELETE FROM sign_in_summaries WHERE account_id = $1", [mail.summary.account.id])
                if let mail = mail.mail { try insert(mail, connection) }
                return count + 1
            }
        }
    }

    /// Whether the summary is still due, to the same address, about the same sign-ins.
    private func isAsRead(_ summary: SignInSummary, _ connection: PostgresConnection) throws -> Bool {
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

    /// Whether there were too many mails to send one more, before a transaction begins: there are
    /// no fewer when it has begun. Transactions that count fail when they meet; most need not.
    func goesToSummary(_ signIn: ProvedSignIn) async throws -> Bool {
        guard let notice = signIn.notice else { return false }
        return try await readOne { connection in
            let earlier = try connection.one(Self.earlierSignIns, parameters(notice, signIn.account.id))
            return try earlier?["count"] ?? 0 >= notice.mailsAtMost
        }
    }

    /// Queues the mail, or leaves it to a summary when there were too many; to be called before the
    /// event is kept. `goesToSummary` if that is known. Returns whether the mail was queued.
    func tell(
        _ notice: NewSignInNotice, _ accountID: AccountID, goesToSummary: Bool, _ connection: PostgresConnection
    ) throws -> Bool {
        let earlier = goesToSummary ? nil : try connection.one(Self.earlierSignIns, parameters(notice, accountID))
        guard try goesToSummary || earlier?["count"] ?? 0 >= notice.mailsAtMost else {
            try insert(notice.mail, connection)
            return true
        }
        connection.later(
            "INSERT INTO sign_in_summaries (account_id, since, due_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            [accountID, notice.at.ms, notice.summaryDueAt.ms]
        )
        return false
    }

    /// However many there were: a script that signs in all day must not make each sign-in dearer.
    private static let earlierSignIns = """
        SELECT count(*) AS count FROM (
            SELECT 1 FROM security_events WHERE account_id = $1 AND at > $2 AND kind = $3 LIMIT $4
        ) AS earlier
        """

    private func parameters(_ notice: NewSignInNotice, _ accountID: AccountID) -> [any PostgresParameter] {
        [accountID, notice.since.ms, SecurityEvent.Kind.loginNewDevice.name, notice.mailsAtMost]
    }

    private func newSignIns(
        _ accountID: AccountID, since: Date, _ connection: PostgresConnection
    ) throws -> [SecurityEvent] {
        try connection.all(
            """
            SELECT \(SecurityEvent.columns) FROM security_events WHERE account_id = $1 AND kind = $2 AND at >= $3
            ORDER BY at, number LIMIT 100
            """,
            [accountID, SecurityEvent.Kind.loginNewDevice.name, since.ms]
        ).map(SecurityEvent.init(row:))
    }
}
