package import Essentials
package import Foundation
import GRDB
import StoreCache
package import Vestibule

extension SQLiteStore {
    package func accountOverview(accountID: AccountID, events: Int, now: Date) async throws -> AccountOverview {
        if try await isCacheCurrent(), let known = cache.overview(accountID, events: events) {
            return known.alive(at: now)
        }
        let clock = cache.clock
        let overview = try await read { try readOverview(accountID, events, now, $0) }
        cache.keep(overview, of: accountID, events: events, readAt: clock)
        return overview
    }

    func readOverview(_ accountID: AccountID, _ events: Int, _ now: Date, _ database: Database) throws
        -> AccountOverview
    {
        AccountOverview(
            sessions: try livingSessions(accountID, now, limit: 100, database),
            consents: try consents(accountID, limit: 100, database),
            events: try told(accountID, limit: events, database),
            identities: try identities(accountID, database), password: try passwordTimes(accountID, database),
            enteredOrigins: try enteredOrigins(accountID, database)
        )
    }

    /// A negative limit is none.
    func livingSessions(_ accountID: AccountID, _ now: Date, limit: Int, _ database: Database) throws -> [Session] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT *, id AS session_id, created_at AS started_at FROM sessions
                    WHERE account_id = ?1 AND expires_at > ?2 AND last_seen_at + idle_ms > ?2
                    ORDER BY last_seen_at DESC LIMIT ?3
                    """
            ),
            arguments: [accountID, now.ms, limit]
        ).map(Session.init(row:))
    }

    /// A negative limit is none.
    func consents(_ accountID: AccountID, limit: Int, _ database: Database) throws -> [Consent] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM consents WHERE account_id = ? ORDER BY accepted_at DESC LIMIT ?"
            ),
            arguments: [accountID, limit]
        ).map(Consent.init(row:))
    }

    private func hasPassword(_ accountID: AccountID, _ database: Database) throws -> Bool {
        try Row.fetchOne(
            database, cachedSQL: "SELECT 1 FROM accounts WHERE id = ? AND password_hash IS NOT NULL", [accountID]
        ) != nil
    }

    package func hasPassword(accountID: AccountID) async throws -> Bool {
        try await read { try hasPassword(accountID, $0) }
    }
}
