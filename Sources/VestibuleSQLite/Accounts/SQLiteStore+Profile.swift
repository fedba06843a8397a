import Essentials
import GRDB
package import Vestibule

extension SQLiteStore {
    package func rename(to displayName: String, by session: PresentedSession, event: SecurityEvent) async throws {
        try await write { database in
            try require(session, database)
            try database.run("UPDATE accounts SET display_name = ? WHERE id = ?", [displayName, session.accountID])
            try insert(event, database)
        }
    }
}
