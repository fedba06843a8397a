import Essentials
package import Vestibule

extension SQLStore {
    package func rename(to displayName: String, by session: PresentedSession, event: SecurityEvent) async throws {
        try await writePlain { connection in
            try require(session, connection)
            try connection.later(
                "UPDATE accounts SET display_name = $1 WHERE id = $2", [displayName, session.accountID])
            try insert(event, connection)
        }
    }
}
