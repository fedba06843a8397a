import Synchronization

/// Reads all that login and sign-up need, a stretch of rows at a time: damage is met before long,
/// and no call costs much.
package final class TableWalk: Sendable {
    /// Rows of a table in the order of an index, read whole: that reads the index and the table.
    private struct Stretch {
        let table: String
        let key: String
        var isText = false
        /// The key that the next stretch begins after.
        var after: (any SQLParameter)?
    }

    private let stretches = Mutex([
        Stretch(table: "accounts", key: "email_key", isText: true),
        Stretch(table: "accounts", key: "id", isText: true),
        Stretch(table: "sessions", key: "token_digest"), Stretch(table: "pending_signups", key: "flow"),
        Stretch(table: "login_failures", key: "key"), Stretch(table: "rate_limits", key: "key"),
    ])
    /// What is selected of a table so that its rows are read whole.
    private let whole: @Sendable (String) -> String
    private static let rows = 100

    package init(whole: @escaping @Sendable (String) -> String) {
        self.whole = whole
    }

    /// Reads a stretch of every table. Throws what the engine says of damage.
    package func advance(_ connection: some SQLConnection) throws {
        for index in stretches.withLock({ $0.indices }) {
            let stretch = stretches.withLock { $0[index] }
            let next = try read(stretch, connection)
            stretches.withLock { $0[index].after = next }
        }
    }

    /// Returns after which key the next stretch begins, or nil for the start.
    private func read(_ stretch: Stretch, _ connection: some SQLConnection) throws -> (any SQLParameter)? {
        // Two texts: an index is not searched for a condition that may be switched off.
        let condition = stretch.after == nil ? "" : "WHERE \(stretch.key) > $1"
        let found = try connection.all(
            """
            SELECT \(stretch.key), \(whole(stretch.table)) FROM \(stretch.table) \(condition)
            ORDER BY \(stretch.key) LIMIT \(Self.rows)
            """, stretch.after.map { [$0] } ?? [])
        guard found.count == Self.rows, let last = found.last else { return nil }
        return stretch.isText ? try last[stretch.key] as String : try last[stretch.key] as [UInt8]
    }
}
