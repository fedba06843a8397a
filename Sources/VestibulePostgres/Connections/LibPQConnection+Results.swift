import CLibPQ
import Foundation
import VestibuleSQL

/// What the server answers.
extension LibPQConnection {
    /// Reads the answers to what was sent together, and throws the first fault when all have come.
    func pipelined(_ sent: [Sent], until deadline: ContinuousClock.Instant) throws -> [PostgresAnswer] {
        var answers: [PostgresAnswer] = []
        var fault: PostgresFault?
        for sent in sent {
            do {
                switch sent {
                case .prepare(let statement):
                    try finish(until: deadline)
                    prepared[statement.key] = statement
                case .execute(let statement): answers.append(try answer(to: statement, until: deadline))
                }
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

    func answer(to statement: PreparedStatement, until deadline: ContinuousClock.Instant) throws
        -> PostgresAnswer
    {
        var answer = PostgresAnswer()
        try results(until: deadline) { result in
            answer.changed = libpq.PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
            answer.command = libpq.PQcmdStatus(result).map { String(cString: $0) } ?? ""
            answer.rows += rows(of: result, statement)
        }
        answer.isWarned = takeWarning()
        return answer
    }

    private func rows(of result: OpaquePointer, _ statement: PreparedStatement) -> [PostgresRow] {
        let count = libpq.PQntuples(result)
        guard count > 0 else { return [] }
        let width = libpq.PQnfields(result)
        let names = statement.columns ?? SQLColumns((0..<width).map { name(of: $0, result) })
        statement.columns = names
        return (0..<count).map { row in
            PostgresRow(columns: names, values: (0..<width).map { value(result, row, $0) })
        }
    }

    private func name(of column: Int32, _ result: OpaquePointer) -> String {
        libpq.PQfname(result, column).map { String(cString: $0) } ?? ""
    }

    private func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> [UInt8]? {
        guard libpq.PQgetisnull(result, row, column) == 0 else { return nil }
        let count = Int(libpq.PQgetlength(result, row, column))
        return [UInt8](UnsafeRawBufferPointer(start: libpq.PQgetvalue(result, row, column), count: count))
    }

    func finish(until deadline: ContinuousClock.Instant) throws {
        try results(until: deadline) { _ in }
    }

    /// Hands over each result of one command, and throws the first fault when all have come.
    private func results(until deadline: ContinuousClock.Instant, _ take: (OpaquePointer) -> Void) throws {
        try flush(until: deadline)
        var fault: PostgresFault?
        var isExecuted = true
        while let result = try next(until: deadline) {
            defer { libpq.PQclear(result) }
            switch libpq.PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: take(result)
            case PGRES_PIPELINE_ABORTED: isExecuted = false
            default: fault = fault ?? PostgresFault(result)
            }
        }
        guard isExecuted else { throw NotExecuted() }
        guard let fault else { return }
        if fault.endsConnection || fault.isOfAnotherSession || libpq.PQstatus(handle) != CONNECTION_OK {
            markUnusable()
        }
        throw fault
    }

    func next(until deadline: ContinuousClock.Instant) throws -> OpaquePointer? {
        while libpq.PQisBusy(handle) == 1 {
            try wait(for: Int16(POLLIN), until: deadline)
            guard libpq.PQconsumeInput(handle) == 1 else { throw lost() }
        }
        return libpq.PQgetResult(handle)
    }

    func flush(until deadline: ContinuousClock.Instant) throws {
        while true {
            let left = libpq.PQflush(handle)
            if left == 0 { return }
            guard left > 0 else { throw lost() }
            try wait(for: Int16(POLLIN | POLLOUT), until: deadline)
            guard libpq.PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }
}
