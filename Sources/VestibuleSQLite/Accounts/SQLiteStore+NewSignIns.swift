import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func dueSignInSummaries(now: Date) async throws -> [SignInSummary] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(Account.columns), since, due_at FROM sign_in_summaries
                    JOIN accounts ON accounts.id = account_id WHERE due_at <= ?
                    """,
                arguments: [now.ms]
            ).map { row in
                let account = Account(row: row)
                return SignInSummary(
                    account: account, dueAt: row.date("due_at"),
                    signIns: try newSignIns(account.id, since: row.date("since"), database))
            }
        }
    }

    package func queueSignInSummaries(_ mails: [SignInSummaryMail]) async throws -> Int {
        try await write { database in
            try mails.reduce(0) { count, mail in
                guard try isAsRead(mail.summary, database) else { return count }
                try database.run("DELETE FROM sign_in_summaries WHERE account_id = ?", [mail.summary.account.id])
                if let mail = mail.mail { try insert(mail, database) }
                return count + 1
            }
        }
    }

    /// Whether the summary is still due, to the same address, about the same sign-ins.
    private func isAsRead(_ summary: SignInSummary, _ database: Database) throws -> Bool {
        let account = summary.account
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT since FROM sign_in_summaries JOIN accounts ON accounts.id = account_id
                WHERE account_id = ? AND due_at = ? AND email = ?
                """,
            [account.id, summary.dueAt.ms, account.email.typed]
        )
        guard let row else { return false }
        return try newSignIns(account.id, since: row.date("since"), database).map(\.id) == summary.signIns.map(\.id)
    }

    /// Queues the mail, or leaves it to a summary when there were too many; to be called before the
    /// event is kept. Returns whether the mail was queued.
    func tell(_ notice: NewSignInNotice, _ accountID: AccountID, _ database: Database) throws -> Bool {
        let earlier = try Row.fetchOne(
            database,
            // However many there were: a script that signs in all day must not make each sign-in
            // dearer.
            cachedSQL: """
                SELECT count(*) AS count FROM (
                    SELECT 1 FROM security_events WHERE account_id = ? AND at > ? AND kind = ? LIMIT ?
                )
                """,
            [accountID, notice.since.ms, SecurityEvent.Kind.loginNewDevice.name, notice.mailsAtMost]
        )
        guard (earlier?["count"] ?? 0) >= notice.mailsAtMost else {
            try insert(notice.mail, database)
            return true
        }
        try database.run(
            "INSERT INTO sign_in_summaries (account_id, since, due_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [accountID, notice.at.ms, notice.summaryDueAt.ms]
        )
        return false
    }

    private func newSignIns(_ accountID: AccountID, since: Date, _ database: Database) throws -> [SecurityEvent] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT * FROM security_events WHERE account_id = ? AND kind = ? AND at >= ? ORDER BY at LIMIT 100
                """,
            arguments: [accountID, SecurityEvent.Kind.loginNewDevice.name, since.ms]
        ).map(SecurityEvent.init(row:))
    }
}
