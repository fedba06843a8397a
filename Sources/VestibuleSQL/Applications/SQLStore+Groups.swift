import Essentials
package import Vestibule

extension SQLStore {
    package func changeGroups(_ change: GroupChange, event: SecurityEvent) async throws -> Bool {
        try await write { connection in
            let account = try connection.one("SELECT 1 FROM accounts WHERE id = $1", [change.accountID])
            guard account != nil else { throw Superseded() }
            let left = try change.removing.reduce(0) { count, group in
                try count
                    + connection.run(
                        "DELETE FROM account_groups WHERE account_id = $1 AND name = $2",
                        [change.accountID, group.text])
            }
            let entered = try change.adding.reduce(0) { count, group in
                try count
                    + connection.run(
                        "INSERT INTO account_groups (account_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                        [change.accountID, group.text])
            }
            let groups = try connection.one(
                "SELECT count(*) AS count FROM account_groups WHERE account_id = $1", [change.accountID])
            guard try groups?["count"] ?? 0 <= GroupChange.mostPerAccount else { throw TooManyGroups() }
            guard left + entered > 0 else { return false }
            try insert(event, connection)
            return true
        }
    }
}
