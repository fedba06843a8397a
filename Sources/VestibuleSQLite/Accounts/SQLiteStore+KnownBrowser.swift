import Essentials
package import Foundation
import GRDB

extension SQLiteStore {
    package func browsersKnownSince(emailKey: String) async throws -> Date? {
        try await read { database in
            try Row.fetchOne(
                database,
                cachedSQL:
                    "SELECT coalesce(browsers_known_since, created_at) AS since FROM accounts WHERE email_key = ?",
                [emailKey]
            )?.date("since")
        }
    }

    /// No browser that has signed in so far is known any more, or trusted.
    func forgetBrowsers(_ accountID: AccountID, _ now: Date, _ database: Database) throws {
        try database.run("UPDATE accounts SET browsers_known_since = ? WHERE id = ?", [now.ms, accountID])
        try database.run("DELETE FROM trusted_browsers WHERE account_id = ?", [accountID])
    }
}
