import GRDB
import NIOPosix
import Synchronization

/// Moves the write-ahead log into the database beside the writer, which would do it in the commit
/// that makes the log too long: those who wait for it, and all behind them, would wait for two
/// fsyncs more.
final class LogCheckpoints: Sendable {
    private struct Turn {
        var isRunning = false
        /// Since the last one ended.
        var writes = 0
    }

    /// Opened with the others: at the same path there may be another file later.
    private let connection: DatabaseQueue
    private let threads: NIOThreadPool
    private let checkpoint: @Sendable (Database) throws -> Void
    private let turn = Mutex(Turn())
    /// Writes between the end of a checkpoint and the next one. A checkpoint beside the writer does
    /// not reach the end of the log while there are commits, however long the log becomes, and the
    /// writer can make none meanwhile: so at least one whole commit has to come between.
    private static let between = 2 * WriteQueue.mostAtOnce
    /// How long the log may become, in pages, before the writer itself does what is left.
    static let mostPages = 4000

    /// Only tests give a `checkpoint`: one that takes as long as on a slow disk.
    init(
        connection: DatabaseQueue, threads: NIOThreadPool,
        checkpoint: @escaping @Sendable (Database) throws -> Void = { _ = try $0.checkpoint(.passive) }
    ) {
        self.connection = connection
        self.threads = threads
        self.checkpoint = checkpoint
    }

    /// To be called after a commit of so many writes.
    func didCommit(_ count: Int) {
        let isDue = turn.withLock { turn in
            turn.writes += count
            guard !turn.isRunning, turn.writes >= Self.between else { return false }
            turn.isRunning = true
            return true
        }
        guard isDue else { return }
        threads.submit { [self] state in
            // What fails now is done by the next, or by the writer.
            if state == .active { try? connection.writeWithoutTransaction(checkpoint) }
            turn.withLock { $0 = Turn() }
        }
    }

    /// Does the work while no checkpoint runs beside the writer. SQLite fails at once where two
    /// connections move the log.
    func alone(_ work: () throws -> Void) throws {
        try connection.writeWithoutTransaction { _ in try work() }
    }

    func close() throws {
        try connection.close()
    }
}
