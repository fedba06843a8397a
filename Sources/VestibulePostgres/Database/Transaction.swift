import Vestibule

/// How transactions are begun, run again and committed.
enum Transaction {
    enum Kind: String {
        case serializable = "BEGIN ISOLATION LEVEL SERIALIZABLE"
        case plain = "BEGIN ISOLATION LEVEL READ COMMITTED"
        case relaxed = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = off"
    }

    /// Longest time that a transaction is run again for.
    private static let patience: Duration = .seconds(5)
    /// Longest pause before it is run again.
    private static let longestPauseMilliseconds = 64

    /// Runs the work in a transaction, again when it met another one or its connection was lost
    /// before the commit.
    static func run<Value: Sendable>(
        _ kind: Kind, on pool: ConnectionPool, _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let end = ContinuousClock.now + patience
        var pause = 1
        while true {
            do {
                return try await pool.with { try commit(kind, $0, work, pool) }
            } catch let fault as PostgresFault where fault.isWorthAnotherTry && .now < end {
                // Nothing to wait for but the other one, whoever that is.
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...pause)))
                pause = min(pause * 2, longestPauseMilliseconds)
            }
        }
    }

    /// Statements outside a transaction; a connection that was lost while it was idle is replaced
    /// once.
    static func reading<Value>(
        _ connection: PostgresConnection, _ work: (PostgresConnection) throws -> Value
    ) throws -> Value {
        try work(connection)
    }

    /// Turns what PostgreSQL says into what the store contract knows.
    static func guarded<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let fault as PostgresFault where fault.isForeignKey {
            // Every foreign key names an account or a session: it has ended while the request was
            // under way.
            throw Superseded()
        } catch let fault as PostgresFault where fault.meansUnavailable {
            throw StoreUnavailable(fault.description)
        }
    }

    private static func commit<Value>(
        _ kind: Kind, _ connection: PostgresConnection, _ work: (PostgresConnection) throws -> Value,
        _ pool: ConnectionPool
    ) throws -> Value {
        try connection.execute(kind.rawValue)
        let value: Value
        do {
            value = try work(connection)
        } catch {
            if connection.isUsable { try? connection.execute("ROLLBACK") }
            throw error
        }
        try connection.execute("COMMIT")
        return value
    }
}

extension PostgresFault {
    /// A conflict with another transaction.
    var isWorthAnotherTry: Bool { isConflict }
}
