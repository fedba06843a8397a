import GRDB
package import Vestibule

extension SQLiteStore {
    package func deleteAccount(_ deletion: AccountDeletion) async throws -> Bool {
        guard try await erase(deletion) else { return false }
        await cutLog()
        return true
    }

    private func erase(_ deletion: AccountDeletion) async throws -> Bool {
        try await write { database in
            let addresses = try addresses(of: deletion.accountID, database)
            try database.run(
                "DELETE FROM outbox WHERE id IN (SELECT mail_id FROM pending_email_changes WHERE account_id = ?)",
                [deletion.accountID]
            )
            try endResets(of: deletion.accountID, deletion.emailKey, database)
            // Sessions, consents, events and what else names the account go with it. What somebody typed into a flow that
            // is open stays for its hour, as it does for an address without an account.
            try database.run("DELETE FROM accounts WHERE id = ?", [deletion.accountID])
            guard database.changesCount > 0 else { return false }
            try database.run("DELETE FROM login_failures WHERE key = ?", [deletion.failuresKey.data])
            for recipient in addresses.flatMap(deletion.recipients) {
                try database.run("DELETE FROM outbox WHERE recipient = ?", [recipient.data])
            }
            try insert(deletion.farewell, database)
            try insert(deletion.event, database)
            return true
        }
    }

    /// The account's address, and those it had lately that are nobody else's by now. One it only wanted may be anybody's.
    private func addresses(of accountID: String, _ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT email FROM accounts WHERE id = ?1
                UNION SELECT email FROM email_undos
                WHERE account_id = ?1 AND email_key NOT IN (SELECT email_key FROM accounts WHERE id <> ?1)
                """,
            arguments: [accountID]
        )
    }
}
