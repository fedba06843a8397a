package import Essentials
import GRDB
package import Vestibule

extension SQLiteStore {
    package func rename(to displayName: String, accountID: AccountID, event: SecurityEvent) async throws {
        try await write { database in
            try database.run("UPDATE accounts SET display_name = ? WHERE id = ?", [displayName, accountID])
            try insert(event, database)
        }
    }
}
