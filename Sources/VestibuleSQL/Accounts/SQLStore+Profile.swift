import Essentials
package import Vestibule

extension SQLStore {
    package func rename(to displayName: String, by session: PresentedSession, event: SecurityEvent) async throws {
        try await update("UPDATE accounts SET display_name = $1 WHERE id = $2", displayName, session, event)
    }

    package func setLocale(_ locale: String, by session: PresentedSession, event: SecurityEvent) async throws {
        try await update(
            "UPDATE accounts SET locale = $1 WHERE id = $2 AND locale <> $1", locale, session, event)
    }

    private func update(
        _ statement: String, _ value: String, _ session: PresentedSession, _ event: SecurityEvent
    ) async throws {
        try await write(.plain) { connection in
            try lock(session.accountID, connection)
            try require(session, connection)
            _ = try insert(event, ifChanging: statement, [value, session.accountID], connection)
        }
    }
}
