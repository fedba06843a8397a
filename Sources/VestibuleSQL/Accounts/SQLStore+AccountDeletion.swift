package import Essentials
package import Vestibule

extension SQLStore {
    package func addresses(accountID: AccountID) async throws -> Set<EmailAddress> {
        try await read { try addresses(of: accountID, $0) }
    }

    package func erase(_ erasure: AccountErasure, _ connection: Connection) throws -> Bool {
        try lock(erasure.accountID, connection)
        if let session = erasure.session { try require(session, connection) }
        let mailboxes = try addresses(of: erasure.accountID, connection).map { address in
            guard let mailbox = erasure.mailboxes[address.key] else { throw Superseded() }
            return mailbox
        }
        try end(.emailChange, of: erasure.accountID, connection)
        try endResets(of: erasure.accountID, erasure.emailKey, connection)
        // Sessions, consents, events and what else names the account go with it. What somebody
        // typed into a flow that is open stays for its hour, as it does for an address without an
        // account.
        guard try connection.run("DELETE FROM accounts WHERE id = $1", [erasure.accountID]) > 0 else { return false }
        for key in [erasure.failuresKey, FailureCount.factorKey(erasure.accountID)] {
            try forgetFailures(key, connection)
        }
        for mailbox in mailboxes {
            for recipient in mailbox.recipients {
                try connection.later("DELETE FROM outbox WHERE recipient = $1", [recipient])
            }
            if let farewell = mailbox.farewell { try insert(farewell, connection) }
        }
        try insert(erasure.event, connection)
        return true
    }

    /// The account's address, and those it had lately that are nobody else's by now. One it only
    /// wanted may be anybody's.
    private func addresses(of accountID: AccountID, _ connection: Connection) throws -> Set<EmailAddress> {
        let rows = try connection.all(
            """
            SELECT email, email_key FROM accounts WHERE id = $1
            UNION SELECT email, email_key FROM email_undos
            WHERE account_id = $1 AND NOT EXISTS (
                SELECT 1 FROM accounts WHERE accounts.email_key = email_undos.email_key AND id <> $1
            )
            """,
            [accountID]
        )
        return Set(try rows.map(EmailAddress.init(row:)))
    }
}
