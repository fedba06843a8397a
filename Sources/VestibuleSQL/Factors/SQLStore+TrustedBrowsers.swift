package import Essentials
package import Foundation
package import Vestibule

extension SQLStore {
    package func trustedBrowsers(accountID: AccountID, now: Date) async throws -> [TrustedBrowser] {
        try await read { try trustedBrowsers(accountID, now, $0) }
    }

    func trustedBrowsers(
        _ accountID: AccountID, _ now: Date, _ connection: Connection
    ) throws -> [TrustedBrowser] {
        try connection.all(
            """
            SELECT browser, user_agent, expires_at FROM trusted_browsers
            WHERE account_id = $1 AND expires_at > $2 ORDER BY expires_at DESC, browser
            """,
            [accountID, now.ms]
        ).map { row in
            TrustedBrowser(
                browser: TokenDigest(bytes: try row.bytes("browser")), userAgent: try row["user_agent"],
                until: try row.date("expires_at"))
        }
    }

    package func endTrust(
        in browser: TokenDigest, by session: PresentedSession, event: SecurityEvent
    ) async throws -> Bool {
        try await write(.plain) { connection in
            try require(session, connection)
            return try insert(
                event, ifChanging: "DELETE FROM trusted_browsers WHERE browser = $1 AND account_id = $2",
                [browser, session.accountID], connection)
        }
    }
}
