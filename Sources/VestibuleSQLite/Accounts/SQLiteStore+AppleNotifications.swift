import Essentials
import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func revokeIdentity(
        id: String, once: Once, notice: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { database in
            try use(once, database)
            let row = try Row.fetchOne(
                database, cachedSQL: "DELETE FROM identities WHERE id = ? RETURNING account_id", [id])
            guard let accountID = row?["account_id"] as AccountID? else { return }
            try database.run("DELETE FROM sessions WHERE account_id = ?", [accountID])
            try endPendingProviderLogins(of: accountID, database)
            try insert(notice, database)
            try insert(event, database)
        }
    }

    package func note(_ event: SecurityEvent, once: Once) async throws {
        try await write { database in
            try use(once, database)
            try insert(event, database)
        }
    }
}
