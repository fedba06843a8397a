import Essentials
import Synchronization

/// Reads all that login and sign-up need, a stretch of rows at a time: damage is met before long,
/// and no call costs much.
final class TableWalk: Sendable {
    /// Rows of a table in the order of an index, read whole: that reads the index and the table.
    private struct Stretch {
        let table: String
        let key: String
        let isText: Bool
        /// The key that the next stretch begins after.
        var after: [UInt8]?

        var parameters: [any PostgresParameter] {
            after.map { isText ? [String(decoding: $0, as: UTF8.self)] : [$0] } ?? []
        }
    }

    private let stretches = Mutex([
        Stretch(table: "accounts", key: "email_key", isText: true),
        Stretch(table: "accounts", key: "id", isText: true),
        Stretch(table: "sessions", key: "token_digest", isText: false),
        Stretch(table: "pending_signups", key: "flow", isText: false),
        Stretch(table: "login_failures", key: "key", isText: false),
        Stretch(table: "rate_limits", key: "key", isText: false),
    ])
    private static let rows = 100

    /// Reads a stretch of every table. Throws what PostgreSQL says of damage.
    func advance(_ connection: PostgresConnection) throws {
        for index in stretches.withLock({ $0.indices }) {
            let stretch = stretches.withLock { $0[index] }
            let next = try Self.read(stretch, connection)
            stretches.withLock { $0[index].after = next }
        }
    }

    /// Returns after which key the next stretch begins, or nil for the start. The rows are read as
    /// text, which no new column changes the type of.
    private static func read(_ stretch: Stretch, _ connection: PostgresConnection) throws -> [UInt8]? {
        // Two texts: an index is not searched for a condition that may be switched off.
        let condition = stretch.after == nil ? "" : "WHERE \(stretch.key) > $1"
        let found = try connection.all(
            """
            SELECT \(stretch.key), octet_length((\(stretch.table).*)::text) AS size
            FROM \(stretch.table) \(condition) ORDER BY \(stretch.key) LIMIT \(rows)
            """, stretch.parameters)
        return found.count < rows ? nil : try found.last?.bytes(stretch.key)
    }
}
