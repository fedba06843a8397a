package import Essentials
package import PasswordHashing
package import Vestibule

extension PostgresStore {
    package func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        ways: ReviewedWays, notice: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { connection in
            let changed = try connection.run(
                "UPDATE accounts SET password_hash = $1 WHERE id = $2 AND password_hash = $3",
                [hash.phc, accountID, proved.phc])
            guard changed > 0 else { throw Superseded() }
            try forgetBrowsers(accountID, event.at, connection)
            try renew(renewal, connection)
            try carryOut(ways, accountID, connection)
            try carryOut(WaysInEnd(.passwordChanged, keeping: renewal.sessionID), of: accountID, connection)
            try insert(notice, connection)
            try insert(event, connection)
        }
    }
}
