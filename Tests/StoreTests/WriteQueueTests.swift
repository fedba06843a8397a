import Foundation
import GRDB
import NIOPosix
import Synchronization
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Writes that wait for the one writer together.
@Suite(.timeLimit(.minutes(15)))
struct WriteQueueTests {
    private let pool: DatabasePool
    private let queue: WriteQueue
    private let thread = NIOThreadPool(numberOfThreads: 1)

    init() throws {
        pool = try DatabasePool(path: Engine.temporaryFolder() + "/queue.sqlite")
        try pool.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT NOT NULL) STRICT") }
        thread.start()
        queue = WriteQueue(database: pool, thread: thread)
    }

    private struct Unwanted: Error {}

    @Sendable private func notes() throws -> [String] {
        try pool.read { try String.fetchAll($0, sql: "SELECT text FROM notes ORDER BY rowid") }
    }

    /// Puts the writes in line while the writer is held, and returns what came of them, in the
    /// order they were told.
    private func together(_ writes: [@Sendable (Database) throws -> String]) async -> [String] {
        let (outcomes, outcome) = AsyncStream<String>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { held in
            queue.add(isDurable: false) { _ in
                held.resume()
                gate.wait()
            } then: { _ in
            }
        }
        for work in writes {
            queue.add(isDurable: true, work) { result in
                switch result {
                case .success(let text): outcome.yield(text)
                case .failure(let error): outcome.yield("\(type(of: error))")
                }
            }
        }
        gate.signal()
        return await outcomes.prefix(writes.count).reduce(into: []) { $0.append($1) }
    }

    private func insert(_ text: String, _ database: Database) throws -> String {
        try database.execute(sql: "INSERT INTO notes VALUES (?)", arguments: [text])
        return text
    }

    @Test func `what waits together is committed together, and what fails is undone alone`() async throws {
        let told = await together([
            { try insert("first", $0) },
            { database in
                _ = try insert("second", database)
                throw Unwanted()
            },
            { database in
                // Others see nothing of the first yet: it is not committed.
                guard try notes().isEmpty else { return "committed one by one" }
                return try insert("third", database)
            },
            { try insert("fourth", $0) },
        ])
        #expect(told == ["first", "Unwanted", "third", "fourth"])
        let written = try notes()
        #expect(written == ["first", "third", "fourth"])
    }

    @Test func `when all is undone nobody is told it was written`() async throws {
        let told = await together([
            { try insert("first", $0) },
            { database in
                // What SQLite does by itself when a disk is full.
                try database.execute(sql: "ROLLBACK")
                throw Unwanted()
            },
            { try insert("third", $0) },
        ])
        #expect(told == ["Unwanted", "Unwanted", "Unwanted"])
        let written = try notes()
        #expect(written.isEmpty)
        let later = await together([{ try insert("later", $0) }])
        #expect(later == ["later"])
    }

    @Test func `those in line for a locked file wait for it together, and fail together`() async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: pool.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        let begun = Mutex(0)
        try await pool.writeWithoutTransaction { database in
            database.trace { event in
                if "\(event)".hasPrefix("BEGIN") { begun.withLock { $0 += 1 } }
            }
        }
        let gate = DispatchSemaphore(value: 0)
        thread.submit { _ in gate.wait() }
        let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
        for number in 0..<200 {
            queue.add(isDurable: true) {
                try insert("\(number)", $0)
            } then: { result in
                outcome.yield((try? result.get()) == nil)
            }
        }
        gate.signal()
        #expect(await outcomes.prefix(200).reduce(into: []) { $0.append($1) } == Array(repeating: true, count: 200))
        #expect(begun.withLock { $0 } == 1)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(await together([{ try insert("later", $0) }]) == ["later"])
    }

    @Test func `a write behind a disk that is slow is made, however long that takes`() async throws {
        let (outcomes, outcome) = AsyncStream<String>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        thread.submit { _ in gate.wait() }
        queue.add(isDurable: true) {
            try insert("late", $0)
        } then: { result in
            outcome.yield((try? result.get()) ?? "refused")
        }
        // Longer than twice the wait for a locked file.
        try await Task.sleep(for: .milliseconds(2 * SQLiteStore.busyMilliseconds + 100))
        gate.signal()
        #expect(await outcomes.first { _ in true } == "late")
    }

    @Test func `a line longer than one commit is served to its end`() async throws {
        let told = await together((0..<200).map { number in { try insert("\(number)", $0) } })
        #expect(told == (0..<200).map(String.init))
    }
}
