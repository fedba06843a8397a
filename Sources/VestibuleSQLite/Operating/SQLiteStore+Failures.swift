import Essentials
import Foundation
import GRDB
import Vestibule

/// What strangers' failures write.
extension SQLiteStore {
    /// Counts one more failure in a row and keeps the event: the first of an hour for an account
    /// one by one.
    func note(_ failure: SecurityEvent, failuresKey: [UInt8], hasAccount: Bool, _ database: Database) throws {
        let key = FailureCount.key(failuresKey, hasAccount: hasAccount)
        let hour = failure.at.ms / FailureCount.hour
        let row = try Row.fetchOne(
            database,
            cachedSQL: """
                INSERT INTO login_failures (key, count, last_at, hour, in_hour) VALUES (?1, 1, ?2, ?3, 1)
                ON CONFLICT (key) DO UPDATE SET count = count + 1, last_at = excluded.last_at,
                    in_hour = iif(hour = excluded.hour, in_hour + 1, 1), hour = excluded.hour
                RETURNING in_hour
                """,
            [key.data, failure.at.ms, hour]
        )
        let isKept = failure.accountID != nil && (row?["in_hour"] ?? 0) <= SecurityEvent.failuresKeptAnHour
        try add(isKept ? failure : FailureCount.sum(failure, hour: hour), database)
    }

    /// A new row, or a sum in the place of the one before: either writes the same pages.
    private func add(_ failure: SecurityEvent, _ database: Database) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO security_events (id, kind, account_id, at, address, user_agent, count) VALUES (
                ?1, ?2, ?3, max(?4, coalesce((SELECT at FROM security_events WHERE id = ?1), 0)), ?5, ?6,
                1 + coalesce((SELECT count FROM security_events WHERE id = ?1), 0)
            )
            """,
            [
                failure.id, failure.kind.name, failure.accountID, failure.at.ms, failure.address.text,
                failure.userAgent,
            ]
        )
    }
}
