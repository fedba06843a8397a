package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func export(accountID: AccountID, now: Date) async throws -> AccountExport? {
        try await read { connection in
            guard let account = try account(accountID, connection) else { return nil }
            return AccountExport(
                account: .init(account, password: try passwordTimes(accountID, connection)),
                sessions: try sessionFacts(accountID, now, connection),
                consents: try consents(accountID, limit: .max, connection).map(AccountExport.ConsentFacts.init),
                securityEvents: try eventFacts(accountID, connection),
                pendingEmailChange: try pendingEmail(accountID, now, connection),
                formerEmails: try formerEmails(accountID, now, connection),
                identities: try identities(accountID, connection).map(AccountExport.IdentityFacts.init),
                factors: try factors(accountID, connection)
            )
        }
    }

    package func noteExport(by session: PresentedSession, event: SecurityEvent) async throws {
        try await writePlain { connection in
            try require(session, connection)
            try insert(event, connection)
        }
    }

    private func sessionFacts(
        _ accountID: AccountID, _ now: Date, _ connection: Connection
    ) throws -> [AccountExport.SessionFacts] {
        let entered = try enteredOrigins(accountID, connection)
        return try livingSessions(accountID, now, limit: .max, connection).map {
            AccountExport.SessionFacts($0, applications: entered[$0.id] ?? [])
        }
    }

    private func eventFacts(
        _ accountID: AccountID, _ connection: Connection
    ) throws -> [AccountExport.EventFacts] {
        try connection.all(
            """
            SELECT kind, at, address, user_agent, count FROM security_events WHERE account_id = $1
            ORDER BY at DESC, number DESC
            """,
            [accountID]
        ).map { row in
            AccountExport.EventFacts(
                kind: try row["kind"], at: try row.date("at"), address: try row["address"],
                userAgent: try row["user_agent"], count: try row["count"])
        }
    }

    private func pendingEmail(
        _ accountID: AccountID, _ now: Date, _ connection: Connection
    ) throws -> AccountExport.PendingEmailFacts? {
        try connection.one(
            "SELECT email, expires_at FROM pending_email_changes WHERE account_id = $1 AND expires_at > $2",
            [accountID, now.ms]
        ).map { .init(email: try $0["email"], expiresAt: try $0.date("expires_at")) }
    }

    private func formerEmails(
        _ accountID: AccountID, _ now: Date, _ connection: Connection
    ) throws -> [AccountExport.FormerEmailFacts] {
        try connection.all(
            """
            SELECT email, created_at, expires_at FROM email_undos WHERE account_id = $1 AND expires_at > $2
            ORDER BY created_at DESC
            """,
            [accountID, now.ms]
        ).map { row in
            .init(
                email: try row["email"], changedAt: try row.date("created_at"),
                restorableUntil: try row.date("expires_at"))
        }
    }
}
