import Essentials
import Foundation
import Vestibule

/// What strangers' failures write.
extension SQLStore {
    /// Counts one more failure in a row and keeps the event: the first of an hour for an account
    /// one by one.
    func note(
        _ failure: SecurityEvent, failuresKey: [UInt8], hasAccount: Bool, _ connection: Connection
    ) throws {
        let hour = failure.at.ms / FailureCount.hour
        let row = try connection.one(
            """
            INSERT INTO login_failures AS kept (key, count, last_at, hour, in_hour) VALUES ($1, 1, $2, $3, 1)
            ON CONFLICT (key) DO UPDATE SET count = kept.count + 1, last_at = excluded.last_at,
                in_hour = CASE WHEN kept.hour = excluded.hour THEN kept.in_hour + 1 ELSE 1 END, hour = excluded.hour
            RETURNING in_hour
            """,
            [FailureCount.key(failuresKey, hasAccount: hasAccount), failure.at.ms, hour]
        )
        let isAmongFirst = (try row?["in_hour"] ?? 0) <= SecurityEvent.failuresKeptAnHour
        let isKept = failure.accountID != nil && isAmongFirst
        try add(isKept ? failure : FailureCount.sum(failure, hour: hour), connection)
    }
}
