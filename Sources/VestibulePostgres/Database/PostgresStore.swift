import Essentials
import StoreCache
package import Vestibule

/// The store of a cluster: a PostgreSQL database that several nodes share, and that somebody else's
/// tools replicate.
package struct PostgresStore: Sendable {
    let pool: ConnectionPool
    let cache: ReadCache
    let changes: ChangeLog
    /// For messages: where the database is, without its password.
    let names: String
    let imports = OwnConnection()
    let presence = NodePresence()
    let sweep = CounterSweep()
    let walk = TableWalk()

    /// Bytes of the sessions read last that are kept, as estimated.
    package static let remembered = 16 << 20

    /// Opens no connection yet. Throws `StoreUnavailable` when libpq is missing or cannot read the
    /// address.
    package init(_ url: PostgresURL, connections: Int = 10, remembering: Int = remembered) throws {
        cache = ReadCache(mostBytes: remembering)
        changes = ChangeLog(cache: cache)
        do {
            let address = try PostgresAddress(url)
            names = address.names
            pool = ConnectionPool(address, connections: connections)
        } catch let fault as PostgresFault {
            throw StoreUnavailable(fault.message)
        }
    }

    /// Throws `StoreUnavailable` unless a server takes writes and is new enough. On the caller's
    /// thread.
    package func checkServer() throws {
        let version = try pool.lend { $0.serverVersion }
        guard version >= Self.oldestServer else {
            throw StoreUnavailable("the server is PostgreSQL \(version / 10_000); it has to be 14 or newer")
        }
    }

    private static let oldestServer = 140_000

    package func close() throws {
        try pool.close()
        imports.close()
        presence.leave()
    }
}
