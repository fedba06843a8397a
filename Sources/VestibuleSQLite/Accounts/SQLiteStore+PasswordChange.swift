package import Essentials
import GRDB
package import PasswordHashing
package import Vestibule

extension SQLiteStore {
    package func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        ways: ReviewedWays, notice: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { database in
            try database.run(
                "UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?",
                [hash.phc, accountID, proved.phc]
            )
            guard database.changesCount > 0 else { throw Superseded() }
            try forgetBrowsers(accountID, event.at, database)
            try renew(renewal, database)
            try carryOut(ways, accountID, database)
            try carryOut(WaysInEnd(.passwordChanged, keeping: renewal.sessionID), of: accountID, database)
            try insert(notice, database)
            try insert(event, database)
        }
    }
}
