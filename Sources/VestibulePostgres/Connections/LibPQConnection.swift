import CLibPQ
import Essentials
import Foundation

/// A connection of libpq. Every wait has an end: a server may be frozen while the kernel of its
/// machine goes on answering.
final class LibPQConnection {
    private let handle: OpaquePointer
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

    private final class PreparedStatement {
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

    /// Reads the answers to statements that were sent together, and throws the first fault when all
    /// have come.
    private func pipelined(_ statements: ArraySlice<PreparedStatement>, until deadline: ContinuousClock.Instant)
        throws -> [PostgresAnswer]
    {
        var answers: [PostgresAnswer] = []
        var fault: PostgresFault?
        for statement in statements {
            do {
                answers.append(try answer(to: statement, until: deadline))
            } catch let refused as PostgresFault {
                fault = fault ?? refused
                guard isUsable else { throw refused }
            } catch is NotExecuted {}
        }
        if let fault { throw fault }
        return answers
    }

    /// A statement before it, sent together with it, has failed.
    private struct NotExecuted: Error {}

    private func answer(to statement: PreparedStatement, until deadline: ContinuousClock.Instant) throws
        -> PostgresAnswer
    {
        var answer = PostgresAnswer()
        try results(until: deadline) { result in
            answer.changed = vestibule_pq_changed(result).flatMap { Int(String(cString: $0)) } ?? 0
            answer.command = vestibule_pq_command(result).map { String(cString: $0) } ?? ""
            answer.rows += rows(of: result, statement)
        }
        return answer
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

    private func rows(of result: OpaquePointer, _ statement: PreparedStatement) -> [PostgresRow] {
        let count = vestibule_pq_rows(result)
        guard count > 0 else { return [] }
        let width = vestibule_pq_columns(result)
        let names = statement.columns ?? PostgresColumns((0..<width).map { name(of: $0, result) })
        statement.columns = names
        return (0..<count).map { row in
            PostgresRow(columns: names, values: (0..<width).map { value(result, row, $0) })
        }
    }

    private func name(of column: Int32, _ result: OpaquePointer) -> String {
        vestibule_pq_column_name(result, column).map { String(cString: $0) } ?? ""
    }

    private func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> [UInt8]? {
        guard !vestibule_pq_is_null(result, row, column) else { return nil }
        let count = Int(vestibule_pq_length(result, row, column))
        return [UInt8](UnsafeRawBufferPointer(start: vestibule_pq_value(result, row, column), count: count))
    }

    private func finish(until deadline: ContinuousClock.Instant) throws {
        try results(until: deadline) { _ in }
    }

    /// Hands over each result of one command, and throws the first fault when all have come.
    private func results(until deadline: ContinuousClock.Instant, _ take: (OpaquePointer) -> Void) throws {
        try flush(until: deadline)
        var fault: PostgresFault?
        var isExecuted = true
        while let result = try next(until: deadline) {
            defer { vestibule_pq_clear(result) }
            switch vestibule_pq_result_status(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: take(result)
            case PGRES_PIPELINE_ABORTED: isExecuted = false
            default: fault = fault ?? PostgresFault(result)
            }
        }
        guard isExecuted else { throw NotExecuted() }
        guard let fault else { return }
        if fault.endsConnection || vestibule_pq_status(handle) != CONNECTION_OK { isUsable = false }
        throw fault
    }

    private func next(until deadline: ContinuousClock.Instant) throws -> OpaquePointer? {
        while vestibule_pq_is_busy(handle) {
            try wait(for: Int16(POLLIN), until: deadline)
            guard vestibule_pq_consume(handle) else { throw lost() }
        }
        return vestibule_pq_result(handle)
    }

    private func flush(until deadline: ContinuousClock.Instant) throws {
        while true {
            let left = vestibule_pq_flush(handle)
            if left == 0 { return }
            guard left > 0 else { throw lost() }
            try wait(for: Int16(POLLIN | POLLOUT), until: deadline)
            guard vestibule_pq_consume(handle) else { throw lost() }
        }
    }

    private func wait(for events: Int16, until deadline: ContinuousClock.Instant) throws {
        guard Self.poll(vestibule_pq_socket(handle), events, until: deadline) else {
            isUsable = false
            throw PostgresFault(state: nil, message: "the database server did not answer in time")
        }
    }

    private func lost() -> PostgresFault {
        isUsable = false
        return PostgresFault(state: nil, message: Self.message(of: handle))
    }
}
