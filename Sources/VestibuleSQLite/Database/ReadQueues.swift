import GRDB
import Synchronization

/// Connections that only read, each used by one thread at a time, and opened when all others are in
/// use. GRDB's pool would ask for the version of the schema before each statement, which takes
/// longer than most statements. A store in memory has one queue, which the list may hold more than
/// once.
final class ReadQueues: Sendable {
    private let open: @Sendable () throws -> DatabaseQueue
    private let idle = Mutex<[DatabaseQueue]>([])

    init(open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.open = open
    }

    func read<Value>(_ work: (Database) throws -> Value) throws -> Value {
        let queue = try idle.withLock { $0.popLast() } ?? open()
        defer { idle.withLock { $0.append(queue) } }
        return try queue.unsafeRead(work)
    }

    /// To be called when nobody reads any more.
    func close() throws {
        try idle.withLock { idle in
            defer { idle = [] }
            try idle.forEach { try $0.close() }
        }
    }
}
