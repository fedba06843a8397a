import Essentials
package import GRDB
import PasswordHashing
package import Vestibule
import VestibuleSQL

extension SQLiteStore {
    package func loginRecord(
        _ emailKey: String, _ failuresKey: [UInt8], _ database: Database
    ) throws -> LoginRecord {
        // Its neighbour is read in place of none, so that both take as long.
        let row = try database.one(
            """
            SELECT \(Account.columns) FROM accounts WHERE id = coalesce(
                (SELECT id FROM accounts WHERE email_key >= $1 ORDER BY email_key LIMIT 1),
                (SELECT id FROM accounts LIMIT 1))
            """,
            [emailKey])
        let (account, hash) = (try row.map(Account.init(row:)), try row.flatMap { try $0["password_hash"] as String? })
        let isFound = account?.email.key.utf8.elementsEqual(emailKey.utf8) == true
        let failures = try database.one(
            "SELECT count FROM login_failures WHERE key = $1", [FailureCount.key(failuresKey, hasAccount: isFound)])
        return LoginRecord(
            account: isFound ? account : nil, passwordHash: isFound ? hash.map(PasswordHash.init(phc:)) : nil,
            failuresInARow: try failures?["count"] ?? 0)
    }

    @discardableResult
    package func loginSucceeded(_ signIn: ProvedSignIn, session: NewSession) async throws -> Bool {
        try await write { try succeed(signIn, session, goesToSummary: false, $0) }
    }

    /// Replaces the row of a sum, as that writes the same pages as a new row.
    package func add(_ failure: SecurityEvent, _ database: Database) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO security_events (id, kind, account_id, at, address, user_agent, count) VALUES (
                $1, $2, $3, greatest($4, coalesce((SELECT at FROM security_events WHERE id = $1), 0)), $5, $6,
                1 + coalesce((SELECT count FROM security_events WHERE id = $1), 0)
            )
            """,
            [
                failure.id, failure.kind.name, failure.accountID, failure.at.ms, failure.address.text,
                failure.userAgent,
            ])
    }

    package func endOldest(besides new: Session, _ database: Database) throws {
        try database.run(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE account_id = $1 AND id <> $2
                ORDER BY last_seen_at DESC LIMIT -1 OFFSET \(Session.mostPerAccount - 1)
            )
            """,
            [new.accountID, new.id])
    }
}
