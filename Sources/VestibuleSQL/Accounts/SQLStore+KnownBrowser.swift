import Essentials
package import Foundation

extension SQLStore {
    package func browsersKnownSince(emailKey: String) async throws -> Date? {
        try await selectOne(
            "SELECT coalesce(browsers_known_since, created_at) AS since FROM accounts WHERE email_key = $1", [emailKey]
        ) { try $0.date("since") }
    }

    /// No browser that has signed in so far is known any more, or trusted.
    func forgetBrowsers(_ accountID: AccountID, _ now: Date, _ connection: Connection) throws {
        try connection.later("UPDATE accounts SET browsers_known_since = $1 WHERE id = $2", [now.ms, accountID])
        try connection.later("DELETE FROM trusted_browsers WHERE account_id = $1", [accountID])
    }
}
