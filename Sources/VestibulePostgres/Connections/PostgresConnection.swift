import Synchronization

/// One connection to a database that takes writes, used by one thread at a time.
final class PostgresConnection: Sendable {
    private let connection: Mutex<LibPQConnection>

    private init(_ server: [PostgresAddress.Option], patience: Duration, connectingFor: Duration) throws {
        connection = Mutex(try LibPQConnection(server, patience: patience, connectingFor: connectingFor))
    }

    /// Connects to the first server of the address that takes writes. `patience` is the longest
    /// time of a statement, `connectingFor` that of connecting to one server. Throws
    /// `PostgresFault`.
    static func open(_ address: PostgresAddress, patience: Duration, connectingFor: Duration) throws
        -> PostgresConnection
    {
        var fault = PostgresFault(state: nil, message: "the address names no server")
        for server in address.servers {
            do {
                return try PostgresConnection(server, patience: patience, connectingFor: connectingFor)
            } catch let refused as PostgresFault {
                fault = refused
            }
        }
        throw fault
    }

    /// False when it must not be used again: lost, or of a server that became a standby.
    var isUsable: Bool { connection.withLock { $0.isUsable } }

    /// 150000 is version 15.
    var serverVersion: Int { connection.withLock { $0.serverVersion } }

    /// Executes a statement that is prepared once a connection; returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ parameters: [any PostgresParameter] = []) throws -> Int {
        try connection.withLock { try $0.answer(sql, parameters).changed }
    }

    /// The first row, if there is any.
    func one(_ sql: String, _ parameters: [any PostgresParameter] = []) throws -> PostgresRow? {
        try connection.withLock { try $0.answer(sql, parameters).rows.first }
    }

    func all(_ sql: String, _ parameters: [any PostgresParameter] = []) throws -> [PostgresRow] {
        try connection.withLock { try $0.answer(sql, parameters).rows }
    }

    /// Statements of our own without parameters, several if separated by semicolons. `patience` is
    /// for those that take long.
    func execute(_ script: String, patience: Duration? = nil) throws {
        try connection.withLock { try $0.execute(script, patience: patience) }
    }
}

/// What a statement answered.
struct PostgresAnswer: Sendable {
    var rows: [PostgresRow] = []
    /// How many rows it changed or returned.
    var changed = 0
}
