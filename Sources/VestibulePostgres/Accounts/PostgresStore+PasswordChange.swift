package import Essentials
package import PasswordHashing
package import Vestibule

extension PostgresStore {
    package func changePassword(
        _ hash: PasswordHash, from proved: PasswordHash, accountID: AccountID, renewal: SessionRenewal,
        identities: IdentityReview, notice: QueuedMail, event: SecurityEvent
    ) async throws {
        try await write { connection in
            let account = try connection.one(
                "UPDATE accounts SET password_hash = $1 WHERE id = $2 AND password_hash = $3 RETURNING email_key",
                [hash.phc, accountID, proved.phc]
            )
            guard let account else { throw Superseded() }
            try forgetBrowsers(accountID, event.at, connection)
            connection.later(
                "DELETE FROM sessions WHERE account_id = $1 AND id <> $2", [accountID, renewal.sessionID])
            try renew(renewal, connection)
            try carryOut(identities, accountID, connection)
            try endResets(of: accountID, try account["email_key"], connection)
            try insert(notice, connection)
            try insert(event, connection)
        }
    }
}
