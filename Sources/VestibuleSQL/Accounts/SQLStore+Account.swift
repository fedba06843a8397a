package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    func account(_ id: AccountID, _ connection: Connection) throws -> Account? {
        try connection.one("SELECT \(Account.columns) FROM accounts WHERE id = $1", [id]).map(Account.init(row:))
    }

    package func readOverview(
        _ accountID: AccountID, _ events: Int, _ now: Date, _ connection: Connection
    ) throws -> AccountOverview {
        AccountOverview(
            sessions: try livingSessions(accountID, now, limit: 100, connection),
            consents: try consents(accountID, limit: 100, connection),
            events: try told(accountID, limit: events, connection),
            identities: try identities(accountID, connection), password: try passwordTimes(accountID, connection),
            enteredApplications: try enteredOrigins(accountID, connection)
        )
    }

    func livingSessions(
        _ accountID: AccountID, _ now: Date, limit: Int, _ connection: Connection
    ) throws -> [Session] {
        try connection.all(
            """
            SELECT \(Session.columns) FROM sessions
            WHERE account_id = $1 AND expires_at > $2 AND last_seen_at + idle_ms > $2
            ORDER BY last_seen_at DESC, id LIMIT $3
            """,
            [accountID, now.ms, limit]
        ).map(Session.init(row:))
    }

    func consents(_ accountID: AccountID, limit: Int, _ connection: Connection) throws -> [Consent] {
        try connection.all(
            "SELECT \(Consent.columns) FROM consents WHERE account_id = $1 ORDER BY accepted_at DESC LIMIT $2",
            [accountID, limit]
        ).map(Consent.init(row:))
    }

    package func hasPassword(accountID: AccountID) async throws -> Bool {
        try await selectOne("SELECT password_hash IS NOT NULL AS has FROM accounts WHERE id = $1", [accountID]) {
            try $0["has"]
        } ?? false
    }
}
