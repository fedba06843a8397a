import Essentials
package import Vestibule

extension SQLStore {
    package func changeGroups(_ change: GroupChange, event: SecurityEvent) async throws -> Bool {
        try await write { connection in
            let account = try connection.one("SELECT 1 FROM accounts WHERE id = $1", [change.accountID])
            guard account != nil else { throw Superseded() }
            func count(_ groups: Set<GroupName>, _ sql: String) throws -> Int {
                try groups.reduce(0) { try $0 + connection.run(sql, [change.accountID, $1.text]) }
            }
            let left = try count(
                change.removing, "DELETE FROM account_groups WHERE account_id = $1 AND name = $2")
            let entered = try count(
                change.adding, "INSERT INTO account_groups (account_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            let groups = try connection.one(
                "SELECT count(*) AS count FROM account_groups WHERE account_id = $1", [change.accountID])
            guard try groups?["count"] ?? 0 <= GroupChange.mostPerAccount else { throw TooManyGroups() }
            guard left + entered > 0 else { return false }
            try insert(event, connection)
            return true
        }
    }
}
