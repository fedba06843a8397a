import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    /// The condition of the index `security_events_told`, in the same words.
    private static var failures: String { "'login_failed', 'proof_failed', 'code_failed'" }

    /// Kinds of events that change nothing in the account. Anybody who has the password can cause
    /// many of them.
    private static var visits: String {
        """
        'login', 'login_new_device', 'second_step_begun', 'second_step_failed', 'logout', 'proved', 'session_ended',
        'email_change_requested'
        """
    }

    /// Kinds of events that change no way into the account. Anybody who has a session, or an
    /// application, can cause many of them.
    private static var details: String {
        """
        'consent_given', 'consent_ended', 'trust_ended', 'passkey_counter_behind', 'passkey_backup_changed',
        'code_replayed', 'refresh_replayed'
        """
    }

    /// The newest of each group, so that none pushes another off the page: strangers can cause
    /// failures at will, and a thief visits and details. What applications refuse is for the
    /// operator alone.
    func told(_ accountID: AccountID, limit: Int, _ connection: Connection) throws -> [SecurityEvent] {
        let told = "AND kind NOT IN (\(Self.failures), 'password_rehashed') AND kind <> 'entry_refused'"
        let conditions = [
            "\(told) AND kind NOT IN (\(Self.visits)) AND kind NOT IN (\(Self.details))",
            "\(told) AND kind IN (\(Self.visits))", "\(told) AND kind IN (\(Self.details))",
            "AND kind IN (\(Self.failures))",
        ]
        return try conditions.flatMap { try newest($0, accountID, limit, connection) }.sorted { $0.at > $1.at }
    }

    func newest(
        _ condition: String, _ accountID: AccountID, _ limit: Int, _ connection: Connection
    ) throws -> [SecurityEvent] {
        try connection.all(
            """
            SELECT \(SecurityEvent.columns) FROM security_events WHERE account_id = $1 \(condition)
            ORDER BY at DESC, number DESC LIMIT $2
            """,
            [accountID, limit]
        ).map(SecurityEvent.init(row:))
    }

    /// Keeps the event if the statement changes a row. Returns whether it did.
    func insert(
        _ event: SecurityEvent, ifChanging sql: String, _ parameters: [any SQLParameter], _ connection: Connection
    ) throws -> Bool {
        guard try connection.run(sql, parameters) > 0 else { return false }
        try insert(event, connection)
        return true
    }

    package func insert(_ event: SecurityEvent, _ connection: Connection) throws {
        try connection.insert(
            into: "security_events", "id, kind, account_id, at, address, user_agent",
            [event.id, event.kind.name, event.accountID, event.at.ms, event.address.text, event.userAgent])
    }

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

extension SecurityEvent {
    /// What `init(row:)` reads.
    static let columns = "id, kind, account_id, at, address, user_agent, count"

    /// Reads a row of `columns`.
    init(row: some SQLRow) throws {
        self.init(
            id: try row["id"], kind: Kind(stored: try row["kind"]), accountID: try row["account_id"],
            at: try row.date("at"), address: try row.ipAddress("address"), userAgent: try row["user_agent"],
            count: try row["count"]
        )
    }
}
