import Essentials
package import Vestibule

/// The store of a cluster: a PostgreSQL database that several nodes share, and that somebody else's
/// tools replicate.
package struct PostgresStore: Sendable {
    let pool: ConnectionPool
    /// For messages: where the database is, without its password.
    let names: String

    /// Opens no connection yet. Throws `StoreUnavailable` when libpq is missing or cannot read the
    /// address.
    package init(_ url: PostgresURL, connections: Int = 10) throws {
        do {
            let address = try PostgresAddress(url)
            names = address.names
            pool = ConnectionPool(address, connections: connections)
        } catch let fault as PostgresFault {
            throw StoreUnavailable(fault.message)
        }
    }

    package func close() throws {
        try pool.close()
    }
}
