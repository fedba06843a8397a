import Essentials
package import Vestibule

extension PostgresStore {
    package func changeGroups(_ change: GroupChange, event: SecurityEvent) async throws -> Bool {
        try await write { connection in
            let account = try connection.one("SELECT 1 FROM accounts WHERE id = $1", [change.accountID])
            guard account != nil else { throw Superseded() }
            let left = try connection.run(
                "DELETE FROM account_groups WHERE account_id = $1 AND name = ANY ($2)",
                [change.accountID, change.removing.map(\.text)])
            let entered = try connection.run(
                "INSERT INTO account_groups (account_id, name) SELECT $1, unnest($2) ON CONFLICT DO NOTHING",
                [change.accountID, change.adding.map(\.text)])
            let groups = try connection.one(
                "SELECT count(*) AS count FROM account_groups WHERE account_id = $1", [change.accountID])
            guard try groups?["count"] ?? 0 <= GroupChange.mostPerAccount else { throw TooManyGroups() }
            guard left + entered > 0 else { return false }
            try insert(event, connection)
            return true
        }
    }
}
