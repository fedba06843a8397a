import GRDB
package import Vestibule

extension SQLiteStore {
    package func deleteAccount(_ deletion: AccountDeletion) async throws -> Bool {
        try await write { database in
            // Sessions, consents, events and what else names the account go with it.
            try database.run("DELETE FROM accounts WHERE id = ?", [deletion.accountID])
            guard database.changesCount > 0 else { return false }
            try database.run("DELETE FROM pending_signups WHERE email_key = ?", [deletion.emailKey])
            try database.run("DELETE FROM pending_resets WHERE email_key = ?", [deletion.emailKey])
            try database.run("DELETE FROM login_failures WHERE key = ?", [deletion.failuresKey.data])
            for recipient in deletion.recipients {
                try database.run("DELETE FROM outbox WHERE recipient = ?", [recipient.data])
            }
            try insert(deletion.farewell, database)
            try insert(deletion.event, database)
            return true
        }
    }
}
