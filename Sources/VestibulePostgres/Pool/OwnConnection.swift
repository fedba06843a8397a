import Synchronization

/// A connection beside the pool's, for what belongs to a session of the server: temporary tables
/// and locks.
final class OwnConnection: Sendable {
    private let held = Mutex<PostgresConnection?>(nil)

    /// Connects, in place of the one before. `patience` is the longest time of a statement.
    func open(_ pool: ConnectionPool, patience: Duration) throws -> PostgresConnection {
        let new = try pool.connect(patience: patience)
        held.withLock { $0 = new }
        return new
    }

    /// Nil when none was opened, and when it was found lost.
    var current: PostgresConnection? {
        held.withLock { $0.flatMap { $0.isUsable ? $0 : nil } }
    }

    func close() {
        held.withLock { $0 = nil }
    }
}
