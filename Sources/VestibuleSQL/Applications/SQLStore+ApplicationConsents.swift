package import Essentials
import Foundation
package import Vestibule

extension SQLStore {
    package func applicationConsents(accountID: AccountID) async throws -> [ApplicationConsent] {
        try await readOne { try applicationConsents(accountID, $0) }
    }

    package func enteredClients(accountID: AccountID) async throws -> [String] {
        try await readOne { connection in
            try connection.all("SELECT DISTINCT application FROM client_sessions WHERE account_id = $1", [accountID])
                .map { try $0["application"] }
        }
    }

    func applicationConsents(_ accountID: AccountID, _ connection: Connection) throws -> [ApplicationConsent] {
        try connection.all(
            """
            SELECT application, scopes, given_at FROM application_consents WHERE account_id = $1
            ORDER BY application
            """,
            [accountID]
        ).map { row in
            ApplicationConsent(
                application: try row["application"], scopes: try row["scopes"], givenAt: try row.date("given_at"))
        }
    }

    /// What the account lets the application see; nil if nothing. Locks the row: who takes it back
    /// meanwhile waits.
    func scopes(
        of accountID: AccountID, for application: String, _ connection: Connection
    ) throws -> String? {
        try connection.one(
            "SELECT scopes FROM application_consents WHERE account_id = $1 AND application = $2 FOR NO KEY UPDATE",
            [accountID, application])?["scopes"]
    }

    package func giveConsent(
        _ consent: ApplicationConsent, by session: PresentedSession, event: SecurityEvent
    ) async throws -> Bool {
        try await write { connection in
            try require(session, connection)
            let kept = try scopes(of: session.accountID, for: consent.application, connection) ?? ""
            return try insert(
                event,
                ifChanging: """
                    INSERT INTO application_consents AS kept (account_id, application, scopes, given_at)
                    VALUES ($1, $2, $3, $4)
                    ON CONFLICT (account_id, application)
                    DO UPDATE SET scopes = excluded.scopes, given_at = excluded.given_at
                        WHERE kept.scopes <> excluded.scopes
                    """,
                [session.accountID, consent.application, Scopes("\(kept) \(consent.scopes)").text, consent.givenAt.ms],
                connection)
        }
    }

    package func endConsent(
        to application: String, by session: PresentedSession, event: SecurityEvent
    ) async throws -> Bool {
        try await write(.plain) { connection in
            try require(session, connection)
            let ended = try insert(
                event, ifChanging: "DELETE FROM application_consents WHERE account_id = $1 AND application = $2",
                [session.accountID, application], connection)
            try connection.later(
                "DELETE FROM client_codes WHERE account_id = $1 AND application = $2", [session.accountID, application])
            // Deleted, not updated: so an application with an address for logouts is told.
            try connection.later(
                "DELETE FROM client_sessions WHERE account_id = $1 AND application = $2",
                [session.accountID, application])
            // Last: that waits for a refresh in progress, and deletes its token, too.
            try connection.later(
                """
                DELETE FROM access_tokens WHERE application = $2
                    AND session_id IN (SELECT id FROM sessions WHERE account_id = $1)
                """,
                [session.accountID, application])
            return ended
        }
    }
}
