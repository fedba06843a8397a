package import Essentials
import Foundation
package import PasswordHashing
package import Vestibule

extension SQLStore {
    package func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        ways: ReviewedWays, notice: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write(.urgent) { connection in
            try require(absent: renewal.absent, of: accountID, connection)
            let changed = try connection.run(
                "UPDATE accounts SET password_hash = $1 WHERE id = $2 AND password_hash = $3",
                [hash.phc, accountID, proved.phc])
            guard changed > 0 else { throw Superseded() }
            try passwordSet(of: accountID, at: event.at, connection)
            try forgetBrowsers(accountID, event.at, connection)
            try carryOut(ways, accountID, connection)
            try carryOut(WaysInEnd(.passwordChanged, keeping: renewal.sessionID), of: accountID, connection)
            // After the refresh tokens: a refresh locks its row of `client_sessions` first, then
            // the session's. The other order could deadlock.
            try renew(renewal, connection)
            try insert(notice, connection)
            try insert(event, connection)
        }
    }

    /// Nil for an account without a password.
    func passwordTimes(_ accountID: AccountID, _ connection: Connection) throws -> PasswordTimes? {
        try connection.one(
            """
            SELECT set_at, last_used_at FROM accounts LEFT JOIN password_times ON account_id = accounts.id
            WHERE accounts.id = $1 AND password_hash IS NOT NULL
            """,
            [accountID]
        ).map { PasswordTimes(setAt: try $0.dateIfAny("set_at"), lastUsedAt: try $0.dateIfAny("last_used_at")) }
    }

    func passwordSet(of accountID: AccountID, at now: Date, _ connection: Connection) throws {
        try connection.later(
            """
            INSERT INTO password_times (account_id, set_at) VALUES ($1, $2)
            ON CONFLICT (account_id) DO UPDATE SET set_at = excluded.set_at, last_used_at = NULL
            """,
            [accountID, now.ms])
    }

    func notePasswordUse(of accountID: AccountID, at now: Date, _ connection: Connection) throws {
        try connection.later(Self.passwordUse(by: "accounts WHERE id = $1", at: "$2"), [accountID, now.ms])
    }

    /// Of the account of `$1`, which is selected. Logins of one account at once would all change
    /// the row, and fail but for one: so once a minute.
    package static func passwordUse(by account: String, at now: String) -> String {
        """
        INSERT INTO password_times (account_id, last_used_at) SELECT id, \(now) FROM \(account) AND NOT EXISTS (
            SELECT 1 FROM password_times
            WHERE account_id = $1 AND last_used_at > \(now) - \(PasswordTimes.usePrecision)
        ) ON CONFLICT (account_id) DO UPDATE SET last_used_at = excluded.last_used_at
        """
    }
}
