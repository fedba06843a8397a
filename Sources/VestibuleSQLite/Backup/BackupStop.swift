import GRDB
import Synchronization

/// Ends a backup from another thread.
final class BackupStop: Sendable {
    private struct State {
        var isPulled = false
        /// Whose statement is under way.
        var copy: DatabaseQueue?
    }

    private let state = Mutex(State())

    func pull() {
        state.withLock {
            $0.isPulled = true
            $0.copy?.interrupt()
        }
    }

    /// Throws `CancellationError` once it was pulled.
    func check() throws {
        guard !state.withLock({ $0.isPulled }) else { throw CancellationError() }
    }

    /// Does work whose long statements, on this connection, are broken off when it is pulled.
    func breaking<Value>(_ copy: DatabaseQueue, _ work: () throws -> Value) throws -> Value {
        state.withLock { $0.copy = copy }
        defer { state.withLock { $0.copy = nil } }
        try check()
        return try work()
    }
}
