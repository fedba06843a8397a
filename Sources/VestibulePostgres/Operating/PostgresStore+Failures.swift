import Essentials
import Foundation
import Vestibule

/// What strangers' failures write.
extension PostgresStore {
    /// Counts one more failure in a row and keeps the event: the first of an hour for an account
    /// one by one.
    func note(
        _ failure: SecurityEvent, failuresKey: [UInt8], hasAccount: Bool, _ connection: PostgresConnection
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

    /// A new row, or one more of the sum, which is then the newest.
    private func add(_ failure: SecurityEvent, _ connection: PostgresConnection) throws {
        connection.later(
            """
            INSERT INTO security_events AS sum (id, kind, account_id, at, address, user_agent)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (id) DO UPDATE SET at = greatest(sum.at, excluded.at), address = excluded.address,
                user_agent = excluded.user_agent, count = sum.count + 1, number = DEFAULT
            """,
            [
                failure.id, failure.kind.name, failure.accountID, failure.at.ms, failure.address.text,
                failure.userAgent,
            ]
        )
    }
}
