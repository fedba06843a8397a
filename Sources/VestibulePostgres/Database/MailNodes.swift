import Synchronization
import Vestibule

/// Tells whether other nodes send mails: each holds a shared lock of PostgreSQL as long as its
/// connection lives, so that one that was killed counts no more.
final class MailNodes: Sendable {
    private let connection = OwnConnection()
    private let hasJoined = Mutex(false)
    private static let lock = AdvisoryLock.mailNodes.key
    /// Longest time of a statement.
    private static let patience: Duration = .seconds(5)

    /// Whether no other node is there. If so none can start until `join`.
    func isAlone(_ pool: ConnectionPool) throws -> Bool {
        let connection = try connection.current ?? connection.open(pool, patience: Self.patience)
        return try connection.one("SELECT pg_try_advisory_lock($1) AS taken", [Self.lock])?["taken"] ?? false
    }

    /// Counts as a node from now on. Waits while another one is alone.
    func join(_ pool: ConnectionPool) throws {
        hasJoined.withLock { $0 = true }
        let connection = try connection.current ?? connection.open(pool, patience: Self.patience)
        // Held as often as taken; the transaction's end frees nothing.
        _ = try connection.one("SELECT pg_advisory_lock_shared($1)", [Self.lock])
        _ = try connection.one("SELECT pg_advisory_unlock($1)", [Self.lock])
    }

    /// A node that has joined does so anew when its connection was lost, as after a fail-over.
    func stay(_ pool: ConnectionPool) throws {
        guard hasJoined.withLock({ $0 }) else { return }
        if let connection = connection.current, (try? connection.run("SELECT 1")) != nil { return }
        connection.close()
        try join(pool)
    }

    /// Does not count any more.
    func leave() {
        connection.close()
    }
}
