package import Essentials
import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func unlink(
        id: String, by session: PresentedSession, configured: [String], notice: QueuedMail, event: SecurityEvent
    ) async throws -> IdentityRemoval {
        let configured = String(decoding: try JSONEncoder().encode(configured), as: UTF8.self)
        let accountID = session.accountID
        return try await write { database in
            try require(session, database)
            let row = try Row.fetchOne(
                database, cachedSQL: "SELECT * FROM identities WHERE id = ? AND account_id = ?", [id, accountID])
            guard let row else { return .unknown }
            guard try hasOtherWay(accountID, configured, besides: id, database) else { return .lastWay }
            try database.run("DELETE FROM identities WHERE id = ?", [id])
            try endPendingProviderLogins(of: accountID, database)
            try insert(notice, database)
            try insert(event, database)
            return .removed(Identity(row: row), refreshToken: (row["refresh_token"] as Data?).map { [UInt8]($0) })
        }
    }

    package func identities(accountID: AccountID) async throws -> [Identity] {
        try await read { try identities(accountID, $0) }
    }

    func identities(_ accountID: AccountID, _ database: Database) throws -> [Identity] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM identities WHERE account_id = ? ORDER BY created_at LIMIT 100"),
            arguments: [accountID]
        ).map(Identity.init(row:))
    }
}
