import CLibPQ
import VestibuleSQL

/// What is sent to the server.
extension LibPQConnection {
    /// Statements of our own without parameters, several if separated by semicolons.
    func execute(_ script: String, patience: Duration? = nil) throws {
        let deadline = ContinuousClock.now + (patience ?? self.patience)
        guard libpq.PQsendQuery(handle, script) == 1 else { throw lost() }
        try finish(until: deadline)
    }

    /// Executes a statement that is prepared once a connection, in one round trip.
    func answer(_ statement: PostgresStatement) throws -> PostgresAnswer {
        guard let known = prepared[StatementKey(statement)] else {
            return try answers([statement]).answers.first ?? PostgresAnswer()
        }
        try send(known, statement.parameters)
        return try answer(to: known, until: .now + patience)
    }

    typealias PipelineAnswers = (answers: [PostgresAnswer], behind: [PostgresAnswer])

    /// Executes statements sent together: one round trip. Returns an answer for each, and for each
    /// of those that follow behind, or none if one of these failed. When one fails, those after it
    /// are not executed.
    func answers(
        _ statements: [PostgresStatement], then following: [PostgresStatement] = []
    ) throws -> PipelineAnswers {
        let deadline = ContinuousClock.now + patience
        guard libpq.PQenterPipelineMode(handle) == 1 else { throw lost() }
        var new: [StatementKey: PreparedStatement] = [:]
        let sent = try statements.flatMap { try send($0, &new) }
        let sentBehind = try following.flatMap { try send($0, &new) }
        guard libpq.PQpipelineSync(handle) == 1 else { throw lost() }
        try flush(until: deadline)
        let answers = Result { try pipelined(sent, until: deadline) }
        if !isUsable { return (try answers.get(), []) }
        var behind: [PostgresAnswer] = []
        do {
            behind = try pipelined(sentBehind, until: deadline)
        } catch  where !isUsable {
            return (try answers.get(), [])
        } catch {}
        try next(until: deadline).map { libpq.PQclear($0) }
        guard libpq.PQexitPipelineMode(handle) == 1 else { throw lost() }
        return (try answers.get(), behind)
    }

    /// What the server answers one after the other.
    enum Sent {
        case prepare(PreparedStatement)
        case execute(PreparedStatement)
    }

    /// Sends a statement, and before it what prepares it unless that was sent before.
    private func send(_ statement: PostgresStatement, _ new: inout [StatementKey: PreparedStatement]) throws -> [Sent] {
        let key = StatementKey(statement)
        if let known = prepared[key] ?? new[key] {
            try send(known, statement.parameters)
            return [.execute(known)]
        }
        let made = PreparedStatement(key, name: nextName())
        guard libpq.PQsendPrepare(handle, made.name, key.sql, Int32(key.types.count), key.types) == 1 else {
            throw lost()
        }
        new[key] = made
        try send(made, statement.parameters)
        return [.prepare(made), .execute(made)]
    }

    private func send(_ statement: PreparedStatement, _ parameters: [any SQLParameter]) throws {
        let bytes = parameters.map { $0.sqlValue.postgresBytes }
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
            return libpq.PQsendQueryPrepared(
                handle, statement.name, Int32(bytes.count), values, lengths, formats, 1) == 1
        }
        guard isSent else { throw lost() }
    }
}
