import Essentials
package import Foundation
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
        'consent_given', 'consent_ended', 'trust_ended', 'passkey_counter_behind', 'passkey_backup_changed'
        """
    }

    /// Kinds of events that tell of a code or a refresh token that was used a second time, which
    /// ends the application's tokens. At most ten an hour of each kind are stored one by one.
    private static var replays: String { "'code_replayed', 'refresh_replayed'" }

    /// The newest of each group, so that none pushes another off the page: strangers can cause
    /// failures at will, and a thief the others but changes. What applications refuse is for the
    /// operator alone.
    func told(_ accountID: AccountID, limit: Int, _ connection: Connection) throws -> [SecurityEvent] {
        let told = "AND kind NOT IN (\(Self.failures), 'password_rehashed') AND kind <> 'entry_refused'"
        let conditions = [
            "\(told) AND kind NOT IN (\(Self.visits)) AND kind NOT IN (\(Self.details), \(Self.replays))",
            "\(told) AND kind IN (\(Self.visits))", "\(told) AND kind IN (\(Self.details))",
            "\(told) AND kind IN (\(Self.replays))",
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
        try add(isKept ? failure : FailureCount.sum(failure), connection)
    }

    /// Keeps the event of a code or a refresh token that was used a second time. The number of rows
    /// is limited as it is for failures, with a separate counter for each kind, because the owner
    /// of an account can cause many such events in a second.
    func noteReplay(_ event: SecurityEvent, of accountID: AccountID, _ connection: Connection) throws {
        let key = FailureCount.key(of: event.kind.name, accountID)
        try note(event.of(accountID), failuresKey: key, hasAccount: true, connection)
    }

    /// Of sign-ins, sign-outs and the like of the last two hours, the first of an hour stay one by
    /// one. Done afterwards, as a count that sign-ins write would make those of one account wait
    /// for each other.
    package func sumUpVisits(_ now: Date) async throws {
        let many = try await select(
            """
            SELECT account_id, kind, at / \(FailureCount.hour) AS hour FROM security_events
            WHERE at > $1 AND kind IN (
                    'login', 'login_new_device', 'second_step_begun', 'logout', 'proved', 'session_ended', 'trust_ended',
                    'passkey_counter_behind', 'passkey_backup_changed'
                ) AND id NOT LIKE 'sum.%' AND account_id IS NOT NULL
            GROUP BY 1, 2, 3 HAVING count(*) > \(SecurityEvent.visitsKeptAnHour)
            """,
            [now.ms - 2 * FailureCount.hour]
        ) { row in
            (account: try row["account_id"] as AccountID, kind: try row["kind"] as String, hour: try row["hour"] as Int)
        }
        for (account, kind, hour) in many {
            let start = Int64(hour) * FailureCount.hour
            while try await sumUpVisits(of: account, kind, from: start) == Self.summedAtOnce {}
        }
    }

    private static var summedAtOnce: Int { 200 }

    /// Returns how many there were, or `summedAtOnce` if there may be more.
    private func sumUpVisits(of account: AccountID, _ kind: String, from start: Int64) async throws -> Int {
        try await write(.plain) { connection in
            let visits = try connection.all(
                """
                SELECT \(SecurityEvent.columns) FROM security_events
                WHERE account_id = $1 AND kind = $2 AND at >= $3 AND at < $4 AND id NOT LIKE 'sum.%'
                ORDER BY at, number LIMIT \(Self.summedAtOnce) OFFSET \(SecurityEvent.visitsKeptAnHour)
                """,
                [account, kind, start, start + FailureCount.hour]
            ).map(SecurityEvent.init(row:))
            // Another node may have added it to the sum meanwhile.
            for visit in visits where try connection.run("DELETE FROM security_events WHERE id = $1", [visit.id]) > 0 {
                try add(FailureCount.sum(visit), connection)
            }
            return visits.count
        }
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
