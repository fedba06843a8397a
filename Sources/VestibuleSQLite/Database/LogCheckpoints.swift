import GRDB
import NIOPosix
import Synchronization

/// Moves the write-ahead log into the database beside the writer, which would do it in the commit
/// that makes the log too long: those who wait for it, and all behind them, would wait for two
/// fsyncs more.
final class LogCheckpoints: Sendable {
    /// Opened with the others: at the same path there may be another file later.
    private let connection: DatabaseQueue
    private let threads: NIOThreadPool
    private let writes = Atomic(0)
    /// Of some ten pages each, at most.
    private static let every = 64
    /// How long the log may become, in pages, before the writer itself does what is left: while it
    /// never rests, the end of the log is never reached from beside it.
    static let mostPages = 4000

    init(connection: DatabaseQueue, threads: NIOThreadPool) {
        self.connection = connection
        self.threads = threads
    }

    /// To be called after a commit of so many writes.
    func didCommit(_ count: Int) {
        let (before, after) = writes.wrappingAdd(count, ordering: .relaxed)
        guard before / Self.every != after / Self.every else { return }
        threads.submit { [connection] state in
            guard state == .active else { return }
            // What fails now is done by the next, or by the writer.
            _ = try? connection.writeWithoutTransaction { try $0.checkpoint(.passive) }
        }
    }

    func close() throws {
        try connection.close()
    }
}
