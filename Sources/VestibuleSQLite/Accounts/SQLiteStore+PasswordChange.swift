package import Essentials
import Foundation
import GRDB
package import PasswordHashing
package import Vestibule

extension SQLiteStore {
    package func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        ways: ReviewedWays, notice: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { database in
            try database.run(
                "UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?",
                [hash.phc, accountID, proved.phc]
            )
            guard database.changesCount > 0 else { throw Superseded() }
            try passwordSet(of: accountID, at: event.at, database)
            try forgetBrowsers(accountID, event.at, database)
            try renew(renewal, database)
            try carryOut(ways, accountID, database)
            try carryOut(WaysInEnd(.passwordChanged, keeping: renewal.sessionID), of: accountID, database)
            try insert(notice, database)
            try insert(event, database)
        }
    }
}

extension SQLiteStore {
    /// Nil for an account without a password.
    func passwordTimes(_ accountID: AccountID, _ database: Database) throws -> PasswordTimes? {
        try Row.fetchOne(
            database,
            cachedSQL: """
                SELECT set_at, last_used_at FROM accounts LEFT JOIN password_times ON account_id = accounts.id
                WHERE accounts.id = ? AND password_hash IS NOT NULL
                """,
            [accountID]
        ).map { PasswordTimes(setAt: $0.dateIfAny("set_at"), lastUsedAt: $0.dateIfAny("last_used_at")) }
    }

    func passwordSet(of accountID: AccountID, at now: Date, _ database: Database) throws {
        try database.run(
            "INSERT OR REPLACE INTO password_times (account_id, set_at) VALUES (?, ?)", [accountID, now.ms])
    }

    func notePasswordUse(of accountID: AccountID, at now: Date, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO password_times (account_id, last_used_at) VALUES (?, ?)
            ON CONFLICT (account_id) DO UPDATE SET last_used_at = excluded.last_used_at
            WHERE coalesce(password_times.last_used_at, 0) <= excluded.last_used_at - \(PasswordTimes.usePrecision)
            """,
            [accountID, now.ms])
    }
}
