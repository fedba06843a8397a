import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Vestibule
@testable import VestibulePostgres

/// Who comes when every connection is used.
@Suite(.timeLimit(.minutes(15)))
struct ConnectionPoolTests {
    private static let most = 64

    @Test func `so many wait for a connection, and the next one is told at once`() async throws {
        let store = try await PostgresStore(PostgresDatabase.migrated().url, connections: 1)
        let (isHeld, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let holder: Void = store.onThread {
            isHeld.signal()
            // Were the line endless, nobody would be told before.
            _ = isFree.wait(timeout: .now() + 60)
        }
        try await blocking { isHeld.wait() }
        let refused = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<Self.most + 3 {
                group.addTask {
                    do {
                        _ = try await store.read { try $0.one("SELECT 1 AS one") }
                        return nil
                    } catch let fault as StoreUnavailable {
                        return fault.description
                    }
                }
            }
            // The others wait until there is a connection again.
            var refused: [String?] = []
            while refused.count < 3, let answer = try await group.next() { refused.append(answer) }
            isFree.signal()
            for try await answer in group { #expect(answer?.contains("too many") != true) }
            return refused
        }
        try await holder
        #expect(refused == Array(repeating: "too many requests wait for the database", count: 3))
        #expect(try await store.read { try $0.one("SELECT 1 AS one")?["one"] as Int? } == 1)
    }
}
