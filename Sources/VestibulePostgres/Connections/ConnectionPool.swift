import NIOPosix
import Synchronization
import Vestibule

/// Connections to one database, each used by one thread at a time. Who waits too long, or comes
/// when too many wait, gets `StoreUnavailable`.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        var waiting = 0
        /// Where the last connection was made to; tried first.
        var server = 0
        /// No server took a connection; nobody tries again before that moment.
        var outage: (message: String, until: ContinuousClock.Instant)?
    }

    private let address: PostgresAddress
    private let threads: NIOThreadPool
    private let state = Mutex(State())
    private let mostWaiting: Int
    private static let mostWaitingForOne = 64
    /// Longest wait for a connection that is free.
    private static let longestWait: Duration = .seconds(5)
    /// Longest time for one statement.
    private static let longestStatement: Duration = .seconds(5)
    /// Longest time to connect to one server.
    private static let longestConnecting: Duration = .seconds(3)
    /// After no server took a connection.
    private static let pauseAfterOutage: Duration = .milliseconds(500)

    /// Starts that many threads; connects when first asked.
    init(_ address: PostgresAddress, connections: Int) {
        self.address = address
        mostWaiting = connections * Self.mostWaitingForOne
        threads = NIOThreadPool(numberOfThreads: connections)
        threads.start()
    }

    /// Works with a connection on a thread of its own.
    func with<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await onThread { [self] in try lend(work) }
    }

    /// Works on a thread of the pool, with no connection of it.
    func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try join()
        let arrived = ContinuousClock.now
        return try await threads.runIfActive { [self] in
            state.withLock { $0.waiting -= 1 }
            guard .now - arrived < Self.longestWait else {
                throw StoreUnavailable("the database is too slow: no connection was free in time")
            }
            return try work()
        }
    }

    /// On the thread of the caller, which may wait. A connection that is found lost ends those that
    /// are idle, too: they were made to the same server.
    func lend<Value>(_ work: (PostgresConnection) throws -> Value) throws -> Value {
        let connection = try state.withLock { $0.idle.popLast() } ?? connect()
        defer {
            state.withLock { state in
                if connection.isUsable { state.idle.append(connection) } else { state.idle = [] }
            }
        }
        return try work(connection)
    }

    /// Waits for what is running, and ends every connection.
    func close() throws {
        try threads.syncShutdownGracefully()
        state.withLock { $0.idle = [] }
    }

    private func join() throws {
        let refusal: StoreUnavailable? = state.withLock { state in
            if let outage = state.outage, .now < outage.until { return StoreUnavailable(outage.message) }
            guard state.waiting < mostWaiting else {
                return StoreUnavailable("too many requests wait for the database")
            }
            state.waiting += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Connects to the first server that takes writes, beginning with the last one that did.
    /// `patience` is the longest time of a statement.
    func connect(patience: Duration = longestStatement) throws -> PostgresConnection {
        let first = state.withLock { $0.server }
        var message = ""
        for offset in address.servers.indices {
            let server = (first + offset) % address.servers.count
            do {
                let connection = try PostgresConnection(
                    address.servers[server], patience: patience, connectingFor: Self.longestConnecting)
                state.withLock { ($0.server, $0.outage) = (server, nil) }
                return connection
            } catch let fault as PostgresFault {
                message = fault.description
            }
        }
        state.withLock { $0.outage = (message, .now + Self.pauseAfterOutage) }
        throw StoreUnavailable(message)
    }
}
