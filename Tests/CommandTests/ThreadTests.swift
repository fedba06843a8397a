import Foundation
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Which threads a process has started.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct ThreadTests {
    /// Empty once the process has ended.
    private func threads(of process: Int32) -> [String] {
        let tasks = "/proc/\(process)/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return numbers.compactMap { try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8) }
    }

    /// What the command starts before it gives up waiting for another process that writes.
    private func threads(ofCommand arguments: [String], in program: Program) async throws -> Set<String> {
        let (process, _, _) = program.prepare(arguments, [:])
        let ended = try process.start()
        var seen: Set<String> = []
        while process.isRunning {
            seen.formUnion(threads(of: process.processIdentifier))
            // Another process starts them and can tell nobody.
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(await ended.first { _ in true } != 0)
        return seen
    }

    @Test func `a command of administration starts no thread that hashes`() async throws {
        let program = try Program()
        try await program.settle()
        try await program.populate(["ada@example.com"])
        let store = try SQLiteStore(path: program.database)
        let release = DispatchSemaphore(value: 0)
        let (begun, sign) = AsyncStream<Void>.makeStream()
        async let held: Void = store.write { _ in
            sign.yield()
            release.wait()
        }
        defer { release.signal() }
        _ = await begun.first { true }
        var seen: Set<String> = []
        // The store's own threads are there as long as it waits: a look that was late is repeated.
        while !seen.contains("TP-#0\n") {
            seen = try await threads(ofCommand: ["users", "disable", "ada@example.com"], in: program)
        }
        #expect(!seen.contains { $0.hasPrefix("hashing") }, "\(seen)")
        release.signal()
        try await held
        try store.close()
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
