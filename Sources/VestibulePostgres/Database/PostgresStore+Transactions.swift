import Essentials
import Vestibule
package import VestibuleSQL

extension PostgresStore {
    /// The connection was lost while the commit was under way.
    private struct CommitLost<Value: Sendable>: Error {
        let value: Value
        let mark: TransactionMark
    }

    /// Statements that change nothing, and all see the database as it is when the first begins.
    /// Asked again when the connection was found lost.
    package func read<Value: Sendable>(_ work: @escaping PostgresWork<Value>) async throws -> Value {
        try await readOne { connection in
            connection.begin([Transaction.snapshot])
            do {
                let value = try work(connection)
                _ = try connection.commit()
                return value
            } catch {
                try connection.rollBack()
                throw error
            }
        }
    }

    /// A single statement that changes nothing, without the round trip that ends a transaction: of
    /// two, each would see another moment. Asked again when the connection was found lost.
    package func readOne<Value: Sendable>(_ work: @escaping PostgresWork<Value>) async throws -> Value {
        try await guarded { [pool] in
            do {
                return try await pool.with(work)
            } catch let fault as PostgresFault where fault.endsConnection {
                return try await pool.with(work)
            }
        }
    }

    package var isCacheTrusted: Bool { changes.isTrusted }

    package func isCacheCurrent() async throws -> Bool {
        if changes.isTrusted { return true }
        guard changes.begin() else { return false }
        do {
            try await readOne { [changes] in try changes.ask($0) }
        } catch {
            changes.end()
            throw error
        }
        return changes.isTrusted
    }

    /// Works on a thread that may wait, with no connection of the pool's.
    func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await guarded { try await pool.onThread(work) }
    }

    /// Runs a transaction, and again after a conflict or a connection lost before the commit. An
    /// urgent one keeps others from beginning after many conflicts (`Transaction.exclusive`). A
    /// commit whose answer was lost is looked up.
    package func transaction<Value: Sendable>(
        _ kind: Transaction, _ work: @escaping PostgresWork<Value>
    ) async throws -> Value {
        var (backoff, isExclusive) = (Backoff(), false)
        // Counters are in no cache.
        defer { if kind != .relaxed { changes.didCommit() } }
        return try await guarded {
            while true {
                do {
                    let begin = isExclusive ? Transaction.exclusive : kind.begin
                    return try await pool.with { try Self.run(kind, begin, $0, work) }
                } catch let fault as PostgresFault
                    where (fault.isWorthAnotherTry(kind) || isExclusive && fault.isLockTimeout)
                    && !backoff.isOver(after: fault)
                {
                    // While somebody else keeps a lock, exclusive tries fail and hold everybody up,
                    // and others may succeed.
                    isExclusive =
                        kind == .urgent && (backoff.isLosing || fault.isDeadlock) && !fault.isLockTimeout
                    try await backoff.wait()
                } catch let lost as CommitLost<Value> {
                    guard try await !isCommitted(lost.mark, until: max(backoff.end, .now + Backoff.longest)) else {
                        return lost.value
                    }
                }
            }
        }
    }

    private static func run<Value: Sendable>(
        _ kind: Transaction, _ begin: [String], _ connection: PostgresConnection, _ work: PostgresWork<Value>
    ) throws -> Value {
        connection.begin(begin)
        let value: Value
        let mark: TransactionMark?
        do {
            value = try work(connection)
            mark =
                kind == .relaxed ? nil : try connection.beginning().last?.rows.first.map(TransactionMark.init(row:))
        } catch {
            try connection.rollBack()
            throw error
        }
        do {
            guard try connection.commit() else { throw StoreUnavailable("a transaction was rolled back") }
        } catch let fault as PostgresFault where fault.endsConnection {
            guard let mark else { throw StoreUnavailable(fault.description) }
            throw CommitLost(value: value, mark: mark)
        } catch {
            // What was sent together with the commit has failed.
            try connection.rollBack()
            throw error
        }
        return value
    }

    /// Whether a commit was made whose answer was lost. Throws `StoreUnavailable` when that cannot
    /// be found out: nothing is acknowledged then.
    private func isCommitted(_ mark: TransactionMark, until end: ContinuousClock.Instant) async throws -> Bool {
        while .now < end {
            let outcome = try await heardOut { try await pool.with { try mark.outcome($0) } }
            switch outcome {
            case .committed: return true
            case .rolledBack: return false
            case .unknown: throw StoreUnavailable("another database server took over during a commit")
            case .pending:
                // The server tells nobody when it has finished a transaction whose client is gone.
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        throw StoreUnavailable("a commit was not finished in time")
    }

    /// Looks for a commit whose answer was lost: there is some time for that, whatever the deadline
    /// of the request. Otherwise works within the deadline.
    func heardOut<Value: Sendable>(
        _ isLost: Bool = true, _ work: () async throws -> Value
    ) async throws -> Value {
        let deadline = isLost ? .now + Backoff.longest : Deadline.current
        return try await Deadline.$current.withValue(deadline) { try await work() }
    }

    /// Turns what PostgreSQL says into what the store contract knows.
    func guarded<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let fault as PostgresFault where fault.isForeignKey {
            // Every foreign key names an account or a session: it has ended while the request was
            // under way.
            throw Superseded()
        } catch let fault as PostgresFault where fault.meansUnavailable {
            throw StoreUnavailable(fault)
        }
    }
}

extension PostgresFault {
    /// It met another transaction, or the connection was lost before the commit.
    fileprivate func isWorthAnotherTry(_ kind: Transaction) -> Bool {
        // What was not there when it was looked for was made meanwhile.
        isConflict || endsConnection || (kind.isSerializable && isUnique)
    }
}
