import Foundation
import GRDB
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// The write-ahead log, which a connection beside the writer moves into the database.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct LogCheckpointTests {
    private func write(_ count: Int, to store: SQLiteStore) async throws {
        for second in 0..<count {
            try await store.touchSession(id: "session-1", at: Make.start + 100 + TimeInterval(second))
        }
    }

    private func bytes(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `what is written comes into the file while the store is open`(isNew: Bool) async throws {
        let (store, path) = try isNew ? Engine.newFile() : Engine.file()
        _ = try await store.addAccount(Make.account("a", token: 1))
        let before = try bytes(of: path)
        try await write(128, to: store)
        // The log is moved beside the writer, which does not say when.
        while try bytes(of: path) == before { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test func `it is cut to nothing, also when it is being moved`() async throws {
        let (store, other) = try Engine.fileWithAnotherProcess(waiting: 5)
        _ = try await store.addAccount(Make.account("a", token: 1))
        for _ in 0..<50 {
            try await write(128, to: store)
            await store.cutLog()
            #expect(try bytes(of: other.path + "-wal") == 0)
        }
    }

    @Test func `however slow a disk is, the writer has a commit alone between two checkpoints`() async throws {
        let isBusy = Mutex(true)
        let begun = Mutex(0)
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        let checkpoints = LogCheckpoints(connection: try DatabaseQueue(), threads: thread) { _ in
            begun.withLock { $0 += 1 }
            // As a disk that takes its time.
            while isBusy.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
        }
        func commit(_ times: Int) { for _ in 0..<times { checkpoints.didCommit(64) } }
        /// Lets all end that have begun or wait.
        func end() async throws {
            isBusy.withLock { $0 = false }
            try await thread.runIfActive {}
            isBusy.withLock { $0 = true }
        }
        for round in 1...3 {
            commit(1)
            try await end()
            #expect(begun.withLock { $0 } == round - 1)
            commit(1)
            while begun.withLock({ $0 }) < round { try await Task.sleep(for: .milliseconds(1)) }
            commit(100)
            try await end()
            #expect(begun.withLock { $0 } == round)
        }
        try await thread.shutdownGracefully()
    }
}
