import Essentials
import Synchronization
import Vestibule
package import VestibuleSQL

package typealias PostgresWork<Value> = SQLWork<PostgresConnection, Value>

/// One connection to a database that takes writes, used by one thread at a time. When the deadline
/// is over it begins nothing, a commit neither, and throws `StoreUnavailable`.
package final class PostgresConnection: SQLConnection, Sendable {
    private struct State {
        let link: LibPQConnection
        /// What is sent together with the next statement.
        var waiting: [PostgresStatement] = []
        /// How many of those begin the transaction; none when it has begun.
        var beginning = 0
        /// What those answered.
        var answers: [PostgresAnswer] = []
        var following: [FollowUp] = []

        /// Throws `StoreUnavailable` when nothing more is to be begun.
        func begin() throws {
            guard !Deadline.isOver else { throw StoreUnavailable.deadline }
        }

        mutating func answer(_ statement: PostgresStatement) throws -> PostgresAnswer {
            guard !waiting.isEmpty else {
                try begin()
                return try link.answer(statement)
            }
            waiting.append(statement)
            return try send().answers.last ?? PostgresAnswer()
        }

        /// Sends what waits, and the reasons of what may follow behind it.
        mutating func send(then following: [FollowUp] = []) throws -> LibPQConnection.PipelineAnswers {
            try begin()
            defer { (waiting, beginning) = ([], 0) }
            let all = try link.answers(waiting, then: following.map(\.reason))
            if beginning > 0 { answers = Array(all.answers.prefix(beginning)) }
            return all
        }

        mutating func commit() throws -> Bool {
            defer { following = [] }
            waiting.append(PostgresStatement(sql: "COMMIT"))
            let all = try send(then: following)
            guard try isDone(all.answers.last) else { return false }
            follow(following, all.behind)
            return true
        }

        func follow(_ followUps: [FollowUp], _ reasons: [PostgresAnswer]) {
            for (followUp, reason) in zip(followUps, reasons) where !reason.rows.isEmpty && !Deadline.isOver {
                _ = try? link.answer(followUp.statement)
            }
        }

        /// Whether that is the answer to a commit that was made. One that came with a warning may
        /// lack the standby (`pg_cancel_backend` ends the wait for it, and the server says no
        /// more): then this waits for it, which counts as the wait for the commit's answer.
        func isDone(_ commit: PostgresAnswer?) throws -> Bool {
            guard var commit, commit.command == "COMMIT" else { return false }
            for _ in 0..<PostgresConnection.mostWarnings where commit.isWarned {
                commit = try link.answers(PostgresConnection.standbyWait).answers.last ?? commit
            }
            guard !commit.isWarned else { throw PostgresFault("no commit waits for the standby") }
            return true
        }
    }

    private let state: Mutex<State>
    /// So often a wait for the standby is begun anew.
    private static let mostWarnings = 5
    private static let standbyWait = ["BEGIN", "SELECT \(Transaction.walMessage)", "COMMIT"].map {
        PostgresStatement(sql: $0)
    }

    /// Connects to one server, if it takes writes. `patience` is the longest time of a statement.
    /// Throws `PostgresFault`.
    init(_ server: [PostgresAddress.Option], patience: Duration, connectingFor: Duration) throws {
        state = Mutex(State(link: try LibPQConnection(server, patience: patience, connectingFor: connectingFor)))
    }

    /// False when it must not be used again: lost, or of a server that became a standby.
    var isUsable: Bool { state.withLock { $0.link.isUsable } }

    /// 150000 is version 15.
    var serverVersion: Int { state.withLock { $0.link.serverVersion } }

    /// Of the database; nil where a pooler does not tell.
    var encoding: String? { state.withLock { $0.link.encoding } }

    @discardableResult
    package func run(_ sql: String, _ parameters: [any SQLParameter]) throws -> Int {
        try answer(sql, parameters).changed
    }

    package func one(_ sql: String, _ parameters: [any SQLParameter]) throws -> PostgresRow? {
        try answer(sql, parameters).rows.first
    }

    package func all(_ sql: String, _ parameters: [any SQLParameter]) throws -> [PostgresRow] {
        try answer(sql, parameters).rows
    }

    package func later(_ sql: String, _ parameters: [any SQLParameter] = []) {
        state.withLock { $0.waiting.append(PostgresStatement(sql: sql, parameters: parameters)) }
    }

    /// In a transaction: says what follows it once it is committed.
    func afterCommit(_ followUp: FollowUp) {
        state.withLock { $0.following.append(followUp) }
    }

    private func answer(_ sql: String, _ parameters: [any SQLParameter]) throws -> PostgresAnswer {
        try state.withLock { try $0.answer(PostgresStatement(sql: sql, parameters: parameters)) }
    }

    /// Statements of our own without parameters, several if separated by semicolons. `patience` is
    /// for those that take long.
    func execute(_ script: String, patience: Duration? = nil) throws {
        try state.withLock { state in
            if !state.waiting.isEmpty { _ = try state.send() }
            try state.link.execute(script, patience: patience)
        }
    }

    /// Begins a transaction with the next statement, in one round trip with it.
    func begin(_ statements: [String]) {
        state.withLock { state in
            state.waiting = statements.map { PostgresStatement(sql: $0) }
            (state.beginning, state.answers, state.following) = (statements.count, [], [])
        }
    }

    /// What the statements that began the transaction answered; empty if it does nothing.
    func beginning() throws -> [PostgresAnswer] {
        try state.withLock { state in
            if state.beginning > 0 && state.beginning < state.waiting.count { _ = try state.send() }
            return state.answers
        }
    }

    /// Returns false when the transaction was rolled back instead, because a statement of it had
    /// failed.
    func commit() throws -> Bool {
        try state.withLock { state in
            guard state.beginning == 0 || state.beginning < state.waiting.count else {
                (state.waiting, state.beginning) = ([], 0)
                return true
            }
            return try state.commit()
        }
    }

    /// A transaction of one statement and of those before it, in one round trip, and what follows
    /// its commit. Returns the rows of the statement.
    func atOnce(
        _ kind: Transaction, after earlier: [PostgresStatement] = [], _ statement: PostgresStatement,
        then following: [FollowUp] = []
    ) throws -> [PostgresRow] {
        let beginning = kind.atOnce.map { PostgresStatement(sql: $0) }
        let all = beginning + earlier + [statement, PostgresStatement(sql: "COMMIT")]
        return try state.withLock { state in
            try state.begin()
            do {
                let (answers, reasons) = try state.link.answers(all, then: following.map(\.reason))
                guard try state.isDone(answers.last) else { throw StoreUnavailable("a transaction was rolled back") }
                state.follow(following, reasons)
                return answers[answers.count - 2].rows
            } catch {
                if state.link.isUsable { try state.link.execute("ROLLBACK") }
                throw error
            }
        }
    }

    /// Waits until the standby has all that was committed so far.
    func waitForStandby() throws {
        _ = try atOnce(.plain, PostgresStatement(sql: "SELECT \(Transaction.walMessage)"))
    }

    func rollBack() throws {
        try state.withLock { state in
            let hasBegun = state.beginning == 0
            (state.waiting, state.beginning, state.following) = ([], 0, [])
            guard hasBegun, state.link.isUsable else { return }
            try state.link.execute("ROLLBACK")
        }
    }
}
