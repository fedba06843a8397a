import Essentials
package import Foundation
import Vestibule

extension SQLStore {
    package func browsersKnownSince(emailKey: String) async throws -> Date? {
        try await selectOne(
            "SELECT coalesce(browsers_known_since, created_at) AS since FROM accounts WHERE email_key = $1", [emailKey]
        ) { try $0.date("since") }
    }

    /// Makes all browsers that have signed in so far unknown and untrusted. While the request
    /// waited for its transaction, after `now`, a thief may have signed in, and out again. Later
    /// sign-ins than the clocks of nodes may differ by are those of a clock that was put back.
    func forgetBrowsers(_ accountID: AccountID, _ now: Date, _ connection: Connection) throws {
        try connection.later(
            """
            UPDATE accounts SET browsers_known_since = (
                SELECT coalesce(max(at) + 1, $1) FROM security_events
                WHERE account_id = $2 AND at BETWEEN $1 AND $3 AND kind IN ('login', 'login_new_device')
            ) WHERE id = $2
            """, [now.ms, accountID, now.ms + LimitClaim.clockTolerance])
        try connection.later("DELETE FROM trusted_browsers WHERE account_id = $1", [accountID])
    }
}
