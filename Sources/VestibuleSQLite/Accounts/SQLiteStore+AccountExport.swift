package import Essentials
package import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func export(accountID: AccountID, now: Date) async throws -> AccountExport? {
        try await read { database in
            let row = try Row.fetchOne(
                database, cachedSQL: "SELECT \(Account.columns) FROM accounts WHERE id = ?", [accountID])
            guard let row else { return nil }
            return AccountExport(
                account: .init(Account(row: row), password: try passwordTimes(accountID, database)),
                sessions: try sessionFacts(accountID, now, database),
                consents: try consents(accountID, limit: -1, database).map(AccountExport.ConsentFacts.init),
                securityEvents: try eventFacts(accountID, database),
                pendingEmailChange: try pendingEmail(accountID, now, database),
                formerEmails: try formerEmails(accountID, now, database),
                identities: try identities(accountID, database).map(AccountExport.IdentityFacts.init),
                factors: .init(try factors(accountID, database))
            )
        }
    }

    package func noteExport(by session: PresentedSession, event: SecurityEvent) async throws {
        try await write { database in
            try require(session, database)
            try insert(event, database)
        }
    }

    private func sessionFacts(
        _ accountID: AccountID, _ now: Date, _ database: Database
    ) throws -> [AccountExport.SessionFacts] {
        let entered = try enteredOrigins(accountID, database)
        return try livingSessions(accountID, now, limit: -1, database).map {
            AccountExport.SessionFacts($0, applications: entered[$0.id] ?? [])
        }
    }

    private func eventFacts(_ accountID: AccountID, _ database: Database) throws -> [AccountExport.EventFacts] {
        let statement = try database.cachedStatement(
            sql:
                "SELECT kind, at, address, user_agent, count FROM security_events WHERE account_id = ? ORDER BY at DESC"
        )
        // By position: by name, ten thousand rows take several times as long.
        return try Row.fetchAll(statement, arguments: [accountID]).map { row in
            AccountExport.EventFacts(
                kind: row[0], at: Date(ms: row[1]), address: row[2], userAgent: row[3], count: row[4])
        }
    }

    private func pendingEmail(
        _ accountID: AccountID, _ now: Date, _ database: Database
    ) throws -> AccountExport.PendingEmailFacts? {
        try Row.fetchOne(
            database, cachedSQL: "SELECT * FROM pending_email_changes WHERE account_id = ? AND expires_at > ?",
            [accountID, now.ms]
        ).map { .init(email: $0["email"], expiresAt: $0.date("expires_at")) }
    }

    private func formerEmails(
        _ accountID: AccountID, _ now: Date, _ database: Database
    ) throws -> [AccountExport.FormerEmailFacts] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM email_undos WHERE account_id = ? AND expires_at > ? ORDER BY created_at DESC",
            arguments: [accountID, now.ms]
        ).map {
            .init(email: $0["email"], changedAt: $0.date("created_at"), restorableUntil: $0.date("expires_at"))
        }
    }
}
