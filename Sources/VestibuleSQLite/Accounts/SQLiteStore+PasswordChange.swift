package import Essentials
import GRDB
package import PasswordHashing
package import Vestibule

extension SQLiteStore {
    package func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        identities: IdentityReview, notice: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { database in
            try database.run(
                "UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?",
                [hash.phc, accountID, proved.phc]
            )
            guard database.changesCount > 0 else { throw Superseded() }
            try forgetBrowsers(accountID, event.at, database)
            try database.run(
                "DELETE FROM sessions WHERE account_id = ? AND id <> ?", [accountID, renewal.sessionID]
            )
            try renew(renewal, database)
            try carryOut(identities, accountID, database)
            let account = try Row.fetchOne(
                database, cachedSQL: "SELECT email_key FROM accounts WHERE id = ?", [accountID])
            try endResets(of: accountID, account?["email_key"] ?? "", database)
            try insert(notice, database)
            try insert(event, database)
        }
    }
}
