package import Essentials
import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func events(accountID: AccountID, limit: Int) async throws -> [SecurityEvent] {
        try await read { try events(accountID, limit: limit, $0) }
    }

    /// As in the index `security_events_told`.
    private static let failures = "'login_failed', 'proof_failed', 'code_failed'"

    /// Failures, which strangers can cause at will, take no room from the rest: as many of each.
    /// What applications refuse is for the operator alone.
    func told(_ accountID: AccountID, limit: Int, _ database: Database) throws -> [SecurityEvent] {
        let rest = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT * FROM security_events WHERE account_id = ?
                    AND kind NOT IN (\(Self.failures), 'password_rehashed')
                    AND kind <> 'entry_refused'
                    ORDER BY at DESC, rowid DESC LIMIT ?
                    """
            ),
            arguments: [accountID, limit]
        )
        let failures = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT * FROM security_events WHERE account_id = ? AND kind IN (\(Self.failures))
                    ORDER BY at DESC, rowid DESC LIMIT ?
                    """
            ),
            arguments: [accountID, limit]
        )
        return (rest + failures).map(SecurityEvent.init(row:)).sorted { $0.at > $1.at }
    }

    func events(_ accountID: AccountID, limit: Int, _ database: Database) throws -> [SecurityEvent] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM security_events WHERE account_id = ? ORDER BY at DESC, rowid DESC LIMIT ?"
            ),
            arguments: [accountID, limit]
        ).map(SecurityEvent.init(row:))
    }

    func insert(_ event: SecurityEvent, _ database: Database) throws {
        try database.run(
            """
            INSERT INTO security_events (id, kind, account_id, at, address, user_agent) VALUES (?, ?, ?, ?, ?, ?)
            """,
            [event.id, event.kind.name, event.accountID, event.at.ms, event.address.text, event.userAgent]
        )
    }
}

extension SecurityEvent {
    init(row: Row) {
        self.init(
            id: row["id"], kind: Kind(stored: row["kind"]), accountID: row["account_id"], at: row.date("at"),
            address: row.ipAddress("address"),
            userAgent: row["user_agent"], count: row["count"]
        )
    }
}
