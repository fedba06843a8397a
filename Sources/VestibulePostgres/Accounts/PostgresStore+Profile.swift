package import Essentials
package import Vestibule

extension PostgresStore {
    package func rename(to displayName: String, accountID: AccountID, event: SecurityEvent) async throws {
        try await writePlain { connection in
            connection.later("UPDATE accounts SET display_name = $1 WHERE id = $2", [displayName, accountID])
            try insert(event, connection)
        }
    }
}
