import Essentials
import GRDB
package import Vestibule

extension SQLiteStore {
    package func changeGroups(_ change: GroupChange, event: SecurityEvent) async throws -> Bool {
        try await write { database in
            let account = try Row.fetchOne(
                database, cachedSQL: "SELECT 1 FROM accounts WHERE id = ?", [change.accountID])
            guard account != nil else { throw Superseded() }
            var changes = 0
            for group in change.removing {
                try database.run(
                    "DELETE FROM account_groups WHERE account_id = ? AND name = ?", [change.accountID, group.text])
                changes += database.changesCount
            }
            for group in change.adding {
                try database.run(
                    "INSERT INTO account_groups (account_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    [change.accountID, group.text])
                changes += database.changesCount
            }
            let groups = try Row.fetchOne(
                database, cachedSQL: "SELECT count(*) AS count FROM account_groups WHERE account_id = ?",
                [change.accountID])
            guard groups?["count"] ?? 0 <= GroupChange.mostPerAccount else { throw TooManyGroups() }
            if changes > 0 { try insert(event, database) }
            return changes > 0
        }
    }
}
