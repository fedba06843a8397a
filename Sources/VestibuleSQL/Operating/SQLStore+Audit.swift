package import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    package func events(accountID: AccountID, limit: Int) async throws -> [SecurityEvent] {
        try await read { try newest("", accountID, limit, $0) }
    }

    /// The condition of the index `security_events_told`, in the same words.
    private static var failures: String { "'login_failed', 'proof_failed', 'code_failed'" }

    /// Failures, which strangers can cause at will, take no room from the rest: as many of each.
    /// What applications refuse is for the operator alone.
    func told(_ accountID: AccountID, limit: Int, _ connection: Connection) throws -> [SecurityEvent] {
        let told = "AND kind NOT IN (\(Self.failures), 'password_rehashed') AND kind <> 'entry_refused'"
        let rest = try newest(told, accountID, limit, connection)
        let failures = try newest("AND kind IN (\(Self.failures))", accountID, limit, connection)
        return (rest + failures).sorted { $0.at > $1.at }
    }

    private func newest(
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

    package func insert(_ event: SecurityEvent, _ connection: Connection) throws {
        try connection.insert(
            into: "security_events", "id, kind, account_id, at, address, user_agent",
            [event.id, event.kind.name, event.accountID, event.at.ms, event.address.text, event.userAgent])
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
