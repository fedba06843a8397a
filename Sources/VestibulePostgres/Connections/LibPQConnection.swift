import CLibPQ
import Essentials
import Foundation

/// A connection of libpq. Every wait has an end: a server may be frozen while the kernel of its
/// machine goes on answering.
final class LibPQConnection {
    let handle: OpaquePointer
    private var prepared: [StatementKey: PreparedStatement] = [:]
    /// How long one statement may take.
    private let patience: Duration
    /// False when it must not be used again.
    private(set) var isUsable = true

    private struct StatementKey: Hashable {
        let sql: String
        /// Of the parameters.
        let types: [UInt32]
    }

    final class PreparedStatement {
        let name: String
        /// Known once it has answered with a row.
        var columns: PostgresColumns?

        init(name: String) {
            self.name = name
        }
    }

    /// What every session of ours has, whatever the server's defaults are: escapes as we write
    /// them, and an end to every wait.
    private static let session = """
        SET standard_conforming_strings = on; SET search_path = public; SET lock_timeout = '5s'
        """
    /// Whose statements may take longer may also wait longer between two of them, for what another
    /// database does.
    private static let longestIdle: Duration = .seconds(30)

    /// Connects to one server, if it takes writes. Throws `PostgresFault`.
    init(_ server: [PostgresAddress.Option], patience: Duration, connectingFor: Duration) throws {
        self.patience = patience
        handle = try Self.connect(server, until: .now + connectingFor)
        let idle = patience > Self.longestIdle ? 0 : Self.longestIdle.components.seconds
        try execute(
            """
            \(Self.session); SET idle_in_transaction_session_timeout = '\(idle)s';
            SET statement_timeout = '\(patience.components.seconds)s'
            """)
    }

    deinit {
        vestibule_pq_finish(handle)
    }

    /// 150000 is version 15.
    var serverVersion: Int { Int(vestibule_pq_server_version(handle)) }

    /// Statements of our own without parameters, several if separated by semicolons.
    func execute(_ script: String, patience: Duration? = nil) throws {
        let deadline = ContinuousClock.now + (patience ?? self.patience)
        guard vestibule_pq_send_query(handle, script) else { throw lost() }
        try finish(until: deadline)
    }

    /// Executes a statement that is prepared once a connection.
    func answer(_ statement: PostgresStatement) throws -> PostgresAnswer {
        let deadline = ContinuousClock.now + patience
        let prepared = try prepare(statement, until: deadline)
        try send(prepared, statement.parameters)
        return try answer(to: prepared, until: deadline)
    }

    /// Executes statements sent together: one round trip. Returns an answer for each. When one
    /// fails, those after it are not executed. What becomes of those that follow matters to nobody.
    func answers(_ statements: [PostgresStatement], then following: [PostgresStatement] = []) throws
        -> [PostgresAnswer]
    {
        let deadline = ContinuousClock.now + patience
        let all = statements + following
        let prepared = try all.map { try prepare($0, until: deadline) }
        guard vestibule_pq_enter_pipeline(handle) else { throw lost() }
        for (statement, prepared) in zip(all, prepared) { try send(prepared, statement.parameters) }
        guard vestibule_pq_sync_pipeline(handle) else { throw lost() }
        try flush(until: deadline)
        let answers = Result { try pipelined(prepared.prefix(statements.count), until: deadline) }
        if !isUsable { return try answers.get() }
        do {
            _ = try pipelined(prepared.suffix(following.count), until: deadline)
        } catch  where !isUsable {
            return try answers.get()
        } catch {}
        try next(until: deadline).map(vestibule_pq_clear)
        guard vestibule_pq_exit_pipeline(handle) else { throw lost() }
        return try answers.get()
    }

    private func prepare(_ statement: PostgresStatement, until deadline: ContinuousClock.Instant) throws
        -> PreparedStatement
    {
        let key = StatementKey(sql: statement.sql, types: statement.types)
        if let known = prepared[key] { return known }
        let new = PreparedStatement(name: "s\(prepared.count)")
        guard vestibule_pq_send_prepare(handle, new.name, key.sql, Int32(key.types.count), key.types) else {
            throw lost()
        }
        try finish(until: deadline)
        prepared[key] = new
        return new
    }

    private func send(_ statement: PreparedStatement, _ parameters: [any PostgresParameter]) throws {
        let bytes = parameters.map { $0.postgresBytes }
        let joined = bytes.reduce(into: [UInt8]()) { $0 += $1 ?? [] } + [0]
        let isSent = joined.withUnsafeBytes { (start: UnsafeRawBufferPointer) -> Bool in
            var offset = 0
            let values = bytes.map { value -> UnsafePointer<CChar>? in
                defer { offset += value?.count ?? 0 }
                guard value != nil else { return nil }
                return start.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            }
            let lengths = bytes.map { Int32($0?.count ?? 0) }
            let formats = bytes.map { _ in Int32(1) }
            return vestibule_pq_send_prepared(
                handle, statement.name, Int32(bytes.count), values, lengths, formats)
        }
        guard isSent else { throw lost() }
    }

    func wait(for events: Int16, until deadline: ContinuousClock.Instant) throws {
        guard Self.poll(vestibule_pq_socket(handle), events, until: deadline) else {
            markUnusable()
            throw PostgresFault(state: nil, message: "the database server did not answer in time")
        }
    }

    /// What libpq says of a connection that is of no use any more.
    func lost() -> PostgresFault {
        markUnusable()
        return PostgresFault(state: nil, message: Self.message(of: handle))
    }

    func markUnusable() {
        isUsable = false
    }
}
