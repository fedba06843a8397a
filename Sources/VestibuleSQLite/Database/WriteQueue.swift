import GRDB
import NIOPosix
import Synchronization
import Vestibule
import VestibuleSQL

/// Writes in line for the one writer. Those that came while a commit was waiting for the disk are
/// committed together: one fsync for all of them. What one of them does wrong is undone alone.
final class WriteQueue: Sendable {
    /// A write, and what to call when its commit has been made, or when it has failed.
    private struct Write: Sendable {
        let isDurable: Bool
        let queuedAt: ContinuousClock.Instant
        let work: @Sendable (Database) throws -> Success
        let fail: @Sendable (any Error) -> Void
    }

    private typealias Success = @Sendable () -> Void

    private struct Line {
        var waiting: [Write] = []
        var isBeingServed = false
    }

    private let database: any DatabaseWriter
    private let thread: NIOThreadPool
    private let watch: CommitWatch?
    private let checkpoints: LogCheckpoints?
    private let line = Mutex(Line())
    /// As set last on the writer's connection.
    private let durability = Mutex<String?>(nil)
    static let mostAtOnce = 64

    /// `watch` is told of every commit before those who wait for it, `checkpoints` after them.
    init(
        database: any DatabaseWriter, thread: NIOThreadPool, watch: CommitWatch? = nil,
        checkpoints: LogCheckpoints? = nil
    ) {
        self.database = database
        self.thread = thread
        self.watch = watch
        self.checkpoints = checkpoints
    }

    /// Returns when it is committed: written to the disk when it has to be durable, to the
    /// operating system when not.
    func run<Value: Sendable>(isDurable: Bool, _ work: @escaping SQLWork<Database, Value>) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            add(isDurable: isDurable, work) { continuation.resume(with: $0) }
        }
    }

    /// Puts a write at the end of the line.
    func add<Value: Sendable>(
        isDurable: Bool, _ work: @escaping SQLWork<Database, Value>,
        then tell: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let write = Write(
            isDurable: isDurable, queuedAt: .now,
            work: { database in
                let value = try work(database)
                return { tell(.success(value)) }
            },
            fail: { tell(.failure($0)) }
        )
        let isFirst = line.withLock { line in
            line.waiting.append(write)
            defer { line.isBeingServed = true }
            return !line.isBeingServed
        }
        if isFirst { serve() }
    }

    private func serve() {
        thread.submit { [self] state in
            let writes = line.withLock { line in
                let first = Array(line.waiting.prefix(Self.mostAtOnce))
                line.waiting.removeFirst(first.count)
                line.isBeingServed = !first.isEmpty
                return first
            }
            guard !writes.isEmpty else { return }
            if state == .active {
                commit(writes)
            } else {
                writes.forEach { $0.fail(StoreUnavailable("the store is closed")) }
            }
            serve()
        }
    }

    /// All of them in one transaction.
    private func commit(_ writes: [Write]) {
        let begun = ContinuousClock.now
        do {
            var outcomes: [Result<Success, any Error>] = []
            try database.writeWithoutTransaction { database in
                try watch?.prepare(database)
                defer { watch?.didCommit(database) }
                try set(writes.contains(where: \.isDurable) ? "FULL" : "NORMAL", database)
                try database.inTransaction(.immediate) {
                    outcomes = try self.outcomes(of: writes, database)
                    watch?.willCommit()
                    return .commit
                }
            }
            // Nobody is told before the commit: even a refusal may rest on what a neighbour has
            // written.
            for (write, outcome) in zip(writes, outcomes) {
                switch outcome {
                case .success(let succeed): succeed()
                case .failure(let error): write.fail(error)
                }
            }
            checkpoints?.didCommit(writes.count)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // They have waited as long; each group by itself would wait for the file as long again.
            (writes + takeQueued(before: begun)).forEach { $0.fail(error) }
        } catch {
            writes.forEach { $0.fail(error) }
        }
    }

    private func takeQueued(before moment: ContinuousClock.Instant) -> [Write] {
        line.withLock { line in
            let count = line.waiting.prefix { $0.queuedAt <= moment }.count
            defer { line.waiting.removeFirst(count) }
            return Array(line.waiting.prefix(count))
        }
    }

    /// SQLite prepares a PRAGMA anew each time it is executed, so only a change is.
    private func set(_ synchronous: String, _ database: Database) throws {
        try durability.withLock { durability in
            guard durability != synchronous else { return }
            durability = nil
            try database.execute(sql: "PRAGMA synchronous = \(synchronous)")
            durability = synchronous
        }
    }

    /// Several have a savepoint each; with one alone the transaction is undone.
    private func outcomes(of writes: [Write], _ database: Database) throws -> [Result<Success, any Error>] {
        if writes.count == 1 { return [.success(try writes[0].work(database))] }
        return try writes.map { try outcome(of: $0, database) }
    }

    /// Throws when SQLite has undone the whole transaction, as it may when the disk is full.
    private func outcome(of write: Write, _ database: Database) throws -> Result<Success, any Error> {
        do {
            var success: Success?
            try database.inSavepoint {
                success = try write.work(database)
                return .commit
            }
            guard let success else { throw StoreUnavailable("transaction without result") }
            return .success(success)
        } catch {
            guard database.isInsideTransaction else { throw error }
            return .failure(error)
        }
    }
}
