import NIOPosix
import Synchronization
import Vestibule

/// Connections of one database, each used by one thread at a time. Who waits too long, or comes
/// when too many wait, gets `StoreUnavailable`.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        var waiting = 0
    }

    private let address: PostgresAddress
    private let threads: NIOThreadPool
    private let state = Mutex(State())
    private let mostWaiting: Int
    private static let mostWaitingForOne = 64
    /// Longest wait for a connection that is free.
    private static let patience: Duration = .seconds(5)
    /// Longest time for one statement.
    static let statementPatience: Duration = .seconds(10)
    /// Longest time to connect to one server.
    private static let connecting: Duration = .seconds(3)

    /// Starts that many threads; connects when first asked.
    init(_ address: PostgresAddress, connections: Int) {
        self.address = address
        mostWaiting = connections * Self.mostWaitingForOne
        threads = NIOThreadPool(numberOfThreads: connections)
        threads.start()
    }

    /// Works with a connection on a thread of its own. The connection is dropped when the work
    /// found it of no use.
    func with<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let isAdmitted = state.withLock { state in
            guard state.waiting < mostWaiting else { return false }
            state.waiting += 1
            return true
        }
        guard isAdmitted else { throw StoreUnavailable("too many requests wait for the database") }
        let arrived = ContinuousClock.now
        return try await threads.runIfActive { [self] in
            state.withLock { $0.waiting -= 1 }
            guard .now - arrived < Self.patience else {
                throw StoreUnavailable("the database is too slow: no connection was free in time")
            }
            return try lend(work)
        }
    }

    /// On the thread of the caller, which may wait.
    func lend<Value>(_ work: (PostgresConnection) throws -> Value) throws -> Value {
        let idle = state.withLock { $0.idle.popLast() }
        let connection =
            try idle
            ?? PostgresConnection.open(
                address, patience: Self.statementPatience, connectingFor: Self.connecting)
        defer {
            if connection.isUsable { state.withLock { $0.idle.append(connection) } }
        }
        return try work(connection)
    }

    /// Waits for what is running, and ends every connection.
    func close() throws {
        try threads.syncShutdownGracefully()
        state.withLock { $0.idle = [] }
    }
}
