package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func export(accountID: AccountID, now: Date) async throws -> AccountExport? {
        try await read { connection in
            guard let account = try account(accountID, connection) else { return nil }
            return AccountExport(
                account: account,
                overview: AccountOverview(
                    sessions: try livingSessions(accountID, now, limit: .max, connection),
                    consents: try consents(accountID, limit: .max, connection),
                    events: try newest("", accountID, AccountExport.eventsAtMost, connection),
                    identities: try identities(accountID, connection),
                    password: try passwordTimes(accountID, connection),
                    enteredApplications: try enteredApplications(accountID, connection)),
                pendingEmail: try pendingEmail(accountID, now, connection),
                formerEmails: try formerEmails(accountID, now, connection),
                factors: try factors(accountID, connection),
                trusted: try trustedBrowsers(accountID, now, connection),
                seenBy: try applicationConsents(accountID, connection)
            )
        }
    }

    package func noteExport(by session: PresentedSession, event: SecurityEvent) async throws {
        try await write(.plain) { connection in
            try require(session, connection)
            try insert(event, connection)
        }
    }

    private func pendingEmail(
        _ accountID: AccountID, _ now: Date, _ connection: Connection
    ) throws -> (email: String, expiresAt: Date)? {
        try connection.one(
            "SELECT email, expires_at FROM pending_email_changes WHERE account_id = $1 AND expires_at > $2",
            [accountID, now.ms]
        ).map { (try $0["email"], try $0.date("expires_at")) }
    }

    private func formerEmails(
        _ accountID: AccountID, _ now: Date, _ connection: Connection
    ) throws -> [(email: String, changedAt: Date, restorableUntil: Date)] {
        try connection.all(
            """
            SELECT email, created_at, expires_at FROM email_undos WHERE account_id = $1 AND expires_at > $2
            ORDER BY created_at DESC
            """,
            [accountID, now.ms]
        ).map { (try $0["email"], try $0.date("created_at"), try $0.date("expires_at")) }
    }
}
