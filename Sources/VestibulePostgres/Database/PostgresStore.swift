package import Vestibule
package import VestibuleSQL

/// The store of a cluster: a PostgreSQL database that several nodes share, and that somebody else's
/// tools replicate.
package struct PostgresStore: SQLStore {
    let pool: ConnectionPool
    package let cache: ReadCache
    let changes: ChangeLog
    let imports = OwnConnection()
    let sweep = CounterSweep()
    /// Rows are read as text, which no new column changes the type of.
    let walk = TableWalk { "octet_length((\($0).*)::text)" }

    /// Bytes of the sessions read last that are kept, as estimated.
    package static let remembered = 16 << 20

    /// Opens no connection yet. Throws `StoreUnavailable` when libpq is missing or cannot read the
    /// address.
    package init(_ url: PostgresURL, connections: Int = 10, remembering: Int = remembered) throws {
        cache = ReadCache(mostBytes: remembering)
        changes = ChangeLog(cache: cache)
        do {
            pool = ConnectionPool(try PostgresAddress(url), connections: connections)
        } catch let fault as PostgresFault {
            throw StoreUnavailable(fault.message)
        }
    }

    package func close() throws {
        try pool.close()
        imports.close()
    }
}
