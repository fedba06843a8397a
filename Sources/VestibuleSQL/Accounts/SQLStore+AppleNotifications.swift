import Essentials
package import Vestibule

extension SQLStore {
    package func revokeIdentity(
        id: String, once: Once, notice: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { connection in
            try use(once, connection)
            let row = try connection.one("DELETE FROM identities WHERE id = $1 RETURNING account_id", [id])
            guard let accountID = try row?["account_id"] as AccountID? else { return }
            try connection.later("DELETE FROM sessions WHERE account_id = $1", [accountID])
            try endPendingLogins(of: accountID, by: .provider, connection)
            try insert(notice, connection)
            try insert(event, connection)
        }
    }

    package func note(_ event: SecurityEvent, once: Once) async throws {
        try await write(.plain) { connection in
            try use(once, connection)
            try insert(event, connection)
        }
    }
}
