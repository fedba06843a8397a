import Essentials
package import Vestibule

/// The store of a cluster: a PostgreSQL database that several nodes share, and that somebody else's
/// tools replicate.
package struct PostgresStore: Sendable {
    let pool: ConnectionPool
    /// For messages: where the database is, without its password.
    let names: String
    private static let connections = 10

    /// Opens no connection yet. Throws `StoreUnavailable` when libpq is missing or cannot read the
    /// address.
    package init(_ url: PostgresURL) throws {
        do {
            let address = try PostgresAddress(url)
            names = address.names
            pool = ConnectionPool(address, connections: Self.connections)
        } catch let fault as PostgresFault {
            throw StoreUnavailable(fault.message)
        }
    }

    /// Statements that each see the newest commit; none of them changes anything.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await Transaction.guarded { [pool] in
            try await pool.with { connection in try Transaction.reading(connection, work) }
        }
    }

    /// One durable transaction that sees and changes the database as if it ran alone
    /// (SERIALIZABLE): it is run again when it met another one, so `work` changes nothing but the
    /// database.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await transaction(.serializable, work)
    }

    /// One transaction that need not survive the loss of the server: counters, where waiting for
    /// the standby would cost more than a lost count. Each statement sees the newest commits (READ
    /// COMMITTED).
    func writeRelaxed<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await transaction(.relaxed, work)
    }

    /// One durable transaction whose statements each are right by themselves (READ COMMITTED): a
    /// single statement, or several of which none depends on what another one read.
    func writePlain<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await transaction(.plain, work)
    }

    private func transaction<Value: Sendable>(
        _ kind: Transaction.Kind, _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await Transaction.guarded { [pool] in
            try await Transaction.run(kind, on: pool, work)
        }
    }

    package func close() throws {
        try pool.close()
    }
}
