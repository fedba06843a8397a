import Synchronization

/// One connection to a database that takes writes, used by one thread at a time.
final class PostgresConnection: Sendable {
    private struct State {
        let link: LibPQConnection
        /// What begins a transaction, sent together with its first statement.
        var prelude: [String] = []
        /// What the prelude answered.
        var answers: [PostgresAnswer] = []

        mutating func answer(_ sql: String, _ parameters: [any PostgresParameter]) throws -> PostgresAnswer {
            guard !prelude.isEmpty else { return try link.answer(sql, parameters) }
            answers = try link.answers(prelude, sql, parameters)
            prelude = []
            return answers.removeLast()
        }
    }

    private let state: Mutex<State>

    /// Connects to one server, if it takes writes. `patience` is the longest time of a statement.
    /// Throws `PostgresFault`.
    init(_ server: [PostgresAddress.Option], patience: Duration, connectingFor: Duration) throws {
        state = Mutex(State(link: try LibPQConnection(server, patience: patience, connectingFor: connectingFor)))
    }

    /// False when it must not be used again: lost, or of a server that became a standby.
    var isUsable: Bool { state.withLock { $0.link.isUsable } }

    /// 150000 is version 15.
    var serverVersion: Int { state.withLock { $0.link.serverVersion } }

    /// Executes a statement that is prepared once a connection; returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ parameters: [any PostgresParameter] = []) throws -> Int {
        try state.withLock { try $0.answer(sql, parameters).changed }
    }

    /// The first row, if there is any.
    func one(_ sql: String, _ parameters: [any PostgresParameter] = []) throws -> PostgresRow? {
        try state.withLock { try $0.answer(sql, parameters).rows.first }
    }

    func all(_ sql: String, _ parameters: [any PostgresParameter] = []) throws -> [PostgresRow] {
        try state.withLock { try $0.answer(sql, parameters).rows }
    }

    /// Statements of our own without parameters, several if separated by semicolons. `patience` is
    /// for those that take long.
    func execute(_ script: String, patience: Duration? = nil) throws {
        try state.withLock { try $0.link.execute(script, patience: patience) }
    }

    /// Begins a transaction with the next statement, in one round trip with it.
    func begin(_ statements: [String]) {
        state.withLock { ($0.prelude, $0.answers) = (statements, []) }
    }

    /// What the statements that began the transaction answered; empty while none was executed.
    var beginning: [PostgresAnswer] { state.withLock { $0.answers } }

    /// Returns false when the transaction was rolled back instead, because a statement of it had
    /// failed.
    func commit() throws -> Bool {
        try state.withLock { state in
            guard state.prelude.isEmpty else {
                state.prelude = []
                return true
            }
            return try state.link.answer("COMMIT", []).command == "COMMIT"
        }
    }

    func rollBack() throws {
        try state.withLock { state in
            guard state.link.isUsable else { return }
            state.prelude = []
            try state.link.execute("ROLLBACK")
        }
    }
}

/// What a statement answered.
struct PostgresAnswer: Sendable {
    var rows: [PostgresRow] = []
    /// How many rows it changed or returned.
    var changed = 0
    var command = ""
}
