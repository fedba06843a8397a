import Dispatch
import Essentials
import Synchronization
import Vestibule

/// Connections to one database, each used by one thread at a time. Who waits too long, or beyond
/// the `Deadline`, gets `StoreUnavailable`.
final class ConnectionPool: Sendable {
    private struct State {
        var connections = PooledConnections()
        /// Where the last connection was made to; tried first.
        var server = 0
    }

    private let address: PostgresAddress
    private let threads: ThreadLine
    private let state = Mutex(State())
    /// Wakes those that wait for a connection of another thread.
    private let returned = DispatchSemaphore(value: 0)
    /// Longest wait for a connection that is free.
    private static let longestWait: Duration = .seconds(5)
    /// Longest time for one statement.
    private static let longestStatement: Duration = .seconds(5)
    /// Longest time to connect to one server.
    private static let longestConnecting: Duration = .seconds(3)
    /// After no server took a connection, in milliseconds.
    private static let pauseAfterRefusal = 500

    /// Starts that many threads; connects when first asked.
    init(_ address: PostgresAddress, connections: Int) {
        self.address = address
        threads = ThreadLine(threads: connections)
    }

    /// Works with a connection on a thread of its own.
    func with<Value: Sendable>(_ work: @escaping PostgresWork<Value>) async throws -> Value {
        try await onThread { [self] in try lend(work) }
    }

    /// Works on a thread of the pool, with no connection of it.
    func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        if let outage = state.withLock({ $0.connections.outage }) { throw outage }
        return try await threads.onThread(work)
    }

    /// On the thread of the caller, which may wait.
    func lend<Value>(_ work: (PostgresConnection) throws -> Value) throws -> Value {
        let connection = try take(until: Deadline.before(.now + Self.longestWait))
        defer {
            // What is removed is closed once the lock is free.
            let (count, _) = state.withLock {
                ($0.connections.giveBack(connection), $0.connections.removeUnused())
            }
            wake(count)
        }
        return try work(connection)
    }

    /// An idle connection or a new one; when the server takes no more, the next one that is given
    /// back.
    private func take(until end: ContinuousClock.Instant) throws -> PostgresConnection {
        while true {
            switch state.withLock({ $0.connections.choose() }) {
            case .use(let connection): return connection
            case .refuse(let fault): throw fault
            case .connect:
                if let new = try makeConnection() { return new }
            case .wait:
                let isWoken = returned.wait(timeout: .now() + .milliseconds(Self.pauseAfterRefusal)) == .success
                if !isWoken { state.withLock { $0.connections.gaveUp() } }
            }
            guard .now < end else {
                throw StoreUnavailable("no connection to the database was free in time", .noConnection)
            }
        }
    }

    /// Returns nil when it is refused, which the pool then knows why.
    private func makeConnection() throws -> PostgresConnection? {
        do {
            let new = try connect()
            state.withLock { $0.connections.made() }
            return new
        } catch {
            wake(state.withLock { $0.connections.refused() })
            guard error is StoreUnavailable else { throw error }
            return nil
        }
    }

    private func wake(_ count: Int) {
        for _ in 0..<count { returned.signal() }
    }

    /// Waits for what is running, and ends every connection.
    func close() throws {
        try threads.close()
        state.withLock { $0.connections.endIdle() }
    }

    /// Connects to the first server that takes writes, beginning with the last one that did.
    /// `patience` is the longest time of a statement.
    func connect(patience: Duration = longestStatement) throws -> PostgresConnection {
        let first = state.withLock { $0.server }
        var faults: [PostgresFault] = []
        for offset in address.servers.indices {
            // That says nothing of the servers that were not asked.
            guard offset == 0 || !Deadline.isOver else { throw StoreUnavailable.deadline }
            let server = (first + offset) % address.servers.count
            do {
                let connection = try PostgresConnection(
                    address.servers[server], patience: patience, connectingFor: Self.longestConnecting)
                state.withLock { state in
                    state.server = server
                    state.connections.noteSuccess()
                }
                return connection
            } catch let fault as PostgresFault {
                faults.append(fault)
            }
        }
        let fault = StoreUnavailable(
            faults.map(\.description).joined(separator: "; "),
            faults.contains { $0.isTooManyConnections } ? .noConnection : nil)
        let until = ContinuousClock.now + .milliseconds(Self.pauseAfterRefusal)
        state.withLock { $0.connections.note(refusal: fault, until: until) }
        throw fault
    }
}
