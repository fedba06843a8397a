package import Essentials
package import Vestibule

extension SQLStore {
    package func unlink(
        id: String, by session: PresentedSession, inUse: WaysInUse, _ change: FactorChange
    ) async throws -> IdentityRemoval {
        let accountID = session.accountID
        return try await write { connection in
            try require(session, connection)
            let row = try connection.one(
                "SELECT \(Identity.columns), refresh_token FROM identities WHERE id = $1 AND account_id = $2",
                [id, accountID])
            guard let row else { return .unknown }
            guard try hasOtherWay(accountID, inUse, besides: id, connection) else { return .lastWay }
            try connection.later("DELETE FROM identities WHERE id = $1", [id])
            try endPendingLogins(of: accountID, by: .provider, connection)
            try noteIdentities(change, connection)
            return .removed(try LinkedIdentity(row: row))
        }
    }

    package func identities(accountID: AccountID) async throws -> [Identity] {
        try await read { try identities(accountID, $0) }
    }

    func identities(_ accountID: AccountID, _ connection: Connection) throws -> [Identity] {
        try connection.all(
            "SELECT \(Identity.columns) FROM identities WHERE account_id = $1 ORDER BY created_at LIMIT 100",
            [accountID]
        ).map(Identity.init(row:))
    }
}
