import Foundation
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQLite

/// Which threads a process has started.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct ThreadTests {
    /// Empty once the process has ended.
    private func threads(of process: Int32) -> [String] {
        let tasks = "/proc/\(process)/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return numbers.compactMap { try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8) }
    }

    /// What the command starts while it waits for another process that writes.
    private func threads(ofCommand arguments: String..., in program: Program) async throws -> Set<String> {
        let store = try SQLiteStore(path: program.database)
        let release = DispatchSemaphore(value: 0)
        async let held: Void = store.write { _ in release.wait() }
        let (process, _, _) = program.prepare(arguments, [:])
        let ended = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { ended.continuation.yield($0.terminationStatus) }
        try process.run()
        var seen: Set<String> = []
        var openedAt: ContinuousClock.Instant?
        while openedAt.map({ .now - $0 < .seconds(1) }) ?? true, process.isRunning {
            let now = threads(of: process.processIdentifier)
            // The first thread of each of the store's two pools: the store is open.
            if openedAt == nil, now.count(where: { $0 == "TP-#0\n" }) == 2 { openedAt = .now }
            seen.formUnion(now)
            // Another process starts them and can tell nobody.
            try await Task.sleep(for: .milliseconds(2))
        }
        release.signal()
        try await held
        #expect(await ended.stream.first { _ in true } == 0)
        try store.close()
        return seen
    }

    @Test func `a command of administration starts no thread that hashes`() async throws {
        let program = try Program()
        try await program.settle()
        try await program.populate(["ada@example.com"])
        let threads = try await threads(ofCommand: "users", "disable", "ada@example.com", in: program)
        #expect(threads.contains("TP-#0\n") && !threads.contains { $0.hasPrefix("hashing") }, "\(threads)")
    }

    @Test func `a server has threads that hash before the first password comes`() async throws {
        let server = try await Server(try Program())
        let process = try #require(server.processID)
        while !threads(of: process).contains(where: { $0.hasPrefix("hashing") }) {
            // They start beside the socket, and nothing tells when: the suite's limit of time ends
            // the wait.
            try await Task.sleep(for: .milliseconds(2))
        }
        _ = await server.end(SIGTERM)
    }
}
