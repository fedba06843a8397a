package import Essentials
import GRDB
package import Vestibule

extension SQLiteStore {
    package func addresses(accountID: AccountID) async throws -> Set<EmailAddress> {
        try await read { try addresses(of: accountID, $0) }
    }

    package func erase(_ erasure: AccountErasure) async throws -> Bool {
        guard try await write({ try erase(erasure, $0) }) else { return false }
        await cutLog()
        return true
    }

    private func erase(_ erasure: AccountErasure, _ database: Database) throws -> Bool {
        if let session = erasure.session { try require(session, database) }
        let recipients = try addresses(of: erasure.accountID, database).flatMap { address in
            guard let recipients = erasure.recipients[address.key] else { throw Superseded() }
            return recipients
        }
        try database.run(
            "DELETE FROM outbox WHERE id IN (SELECT mail_id FROM pending_email_changes WHERE account_id = ?)",
            [erasure.accountID]
        )
        try endResets(of: erasure.accountID, erasure.emailKey, database)
        // Sessions, consents, events and what else names the account go with it. What somebody
        // typed into a flow that is open stays for its hour, as it does for an address without an
        // account.
        try database.run("DELETE FROM accounts WHERE id = ?", [erasure.accountID])
        guard database.changesCount > 0 else { return false }
        try database.run("DELETE FROM login_failures WHERE key = ?", [erasure.failuresKey.data])
        for recipient in recipients {
            try database.run("DELETE FROM outbox WHERE recipient = ?", [recipient.data])
        }
        try insert(erasure.farewell, database)
        try insert(erasure.event, database)
        return true
    }

    /// The account's address, and those it had lately that are nobody else's by now. One it only
    /// wanted may be anybody's.
    private func addresses(of accountID: AccountID, _ database: Database) throws -> Set<EmailAddress> {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT email, email_key FROM accounts WHERE id = ?1
                UNION SELECT email, email_key FROM email_undos
                WHERE account_id = ?1 AND email_key NOT IN (SELECT email_key FROM accounts WHERE id <> ?1)
                """,
            arguments: [accountID]
        )
        return Set(rows.map { EmailAddress(row: $0) })
    }
}
