import Essentials
import GRDB
import Synchronization

/// Reads all that login and sign-up need, a stretch of rows at a time: damage is met before long,
/// and no call costs much.
final class TableWalk: Sendable {
    /// Rows of a table in the order of an index, read whole: that reads the index and the table.
    private struct Stretch {
        let table: String
        let key: String
        var after = DatabaseValue.null
    }

    private let stretches = Mutex([
        Stretch(table: "accounts", key: "email_key"), Stretch(table: "accounts", key: "id"),
        Stretch(table: "sessions", key: "token_digest"), Stretch(table: "pending_signups", key: "flow"),
        Stretch(table: "login_failures", key: "key"), Stretch(table: "rate_limits", key: "key"),
    ])
    private static let rows = 100

    /// Reads the account and the session made last, then a stretch of every table. Throws what
    /// SQLite says of damage.
    func advance(_ database: Database) throws {
        for (table, key) in [("accounts", "email_key"), ("sessions", "token_digest")] {
            let newest = "SELECT \(key) FROM \(table) ORDER BY rowid DESC LIMIT 1"
            _ = try Row.fetchOne(database, cachedSQL: "SELECT * FROM \(table) WHERE \(key) = (\(newest))", [])
        }
        for index in stretches.withLock({ $0.indices }) {
            let stretch = stretches.withLock { $0[index] }
            let next = try Self.read(stretch, database)
            stretches.withLock { $0[index].after = next }
        }
    }

    /// Returns after which key the next stretch begins, or null for the start.
    private static func read(_ stretch: Stretch, _ database: Database) throws -> DatabaseValue {
        // Two texts: SQLite would not search the index for a condition that may be switched off.
        let condition = stretch.after.isNull ? "" : "WHERE \(stretch.key) > ?"
        let found = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM \(stretch.table) \(condition) ORDER BY \(stretch.key) LIMIT \(rows)"),
            arguments: stretch.after.isNull ? [] : [stretch.after]
        )
        return found.count < rows ? .null : found.last?[stretch.key] ?? .null
    }
}
