import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// Who comes when every connection is used, or the server refuses some.
@Suite(.timeLimit(.minutes(15)))
struct ConnectionPoolTests {
    private static let most = 64

    /// A store whose user may have that many connections, of ten that it wants.
    private func store(admitted: Int) async throws -> PostgresStore {
        let url = try await PostgresDatabase.blank().url.text
        let name = "guest_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        let owner = try PostgresStore(try #require(PostgresURL(url)), connections: 1)
        try await owner.pool.with { try $0.execute("CREATE ROLE \(name) LOGIN CONNECTION LIMIT \(admitted)") }
        let place = try #require(URLComponents(string: url))
        let user = try #require(place.user)
        return try PostgresStore(try #require(PostgresURL(url.replacing("//\(user)@", with: "//\(name)@"))))
    }

    @Test func `a connection that is refused is no outage while others work`() async throws {
        let store = try await store(admitted: 3)
        try await withThrowingTaskGroup { group in
            for _ in 0..<60 {
                group.addTask { _ = try await store.pool.with { try $0.one("SELECT pg_sleep(0.01)") } }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a connection that is refused is no outage while another one is being made`() {
        var connections = PooledConnections()
        for _ in 0..<2 { _ = connections.choose() }
        _ = connections.refused()
        connections.note(refusal: StoreUnavailable("too many connections"), until: .now + .seconds(60))
        #expect(connections.outage == nil)
        _ = connections.refused()
        #expect(connections.outage?.description == "too many connections")
    }

    @Test func `connections that nobody used for a minute are closed, but two`() async throws {
        let store = try await PostgresDatabase.blank().store()
        var pooled = PooledConnections()
        var made: [PostgresConnection] = []
        for _ in 0..<4 {
            _ = pooled.choose()
            made.append(try await blocking { try store.pool.connect() })
            pooled.made()
        }
        let start = ContinuousClock.now
        for connection in made { _ = pooled.giveBack(connection, at: start) }
        for (seconds, left) in [(59, 4), (60, 2), (400, 2)] {
            if case .use(let last) = pooled.choose() { _ = pooled.giveBack(last, at: start + .seconds(seconds)) }
            _ = pooled.removeUnused(at: start + .seconds(seconds))
            #expect(pooled.idle.count == left, "after \(seconds) s")
        }
    }

    @Test func `with no connection at all every request is refused`() async throws {
        let store = try await store(admitted: 0)
        for _ in 0..<3 {
            let fault = await #expect(throws: StoreUnavailable.self) { _ = try await store.pool.with { _ in } }
            #expect(fault?.description.contains("too many connections") == true)
            #expect(fault?.cause == .noConnection)
        }
    }

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

    @Test func `no two connections name their statements alike`() async throws {
        let store = try await PostgresDatabase.blank().store()
        let names = try await blocking {
            try (0..<2).map { _ in
                let rows = try store.pool.connect().all("SELECT name FROM pg_prepared_statements", [])
                return Set(try rows.map { try $0["name"] as String })
            }
        }
        #expect(names.allSatisfy { $0.count == 1 } && names[0].isDisjoint(with: names[1]))
    }

    @Test func `a statement that the session does not have tells of a pooler`() async throws {
        let scripts = ["26000": "DEALLOCATE ALL", "42P05": "PREPARE taken AS SELECT 1; PREPARE taken AS SELECT 1"]
        for (state, script) in scripts {
            let store = try await PostgresDatabase.blank().store()
            let fault = await #expect(throws: StoreUnavailable.self) {
                try await store.read { connection in
                    _ = try connection.one("SELECT 1 AS one")
                    try connection.execute(script)
                    _ = try connection.one("SELECT 1 AS one")
                }
            }
            #expect(fault?.description.begins(with: state) == true && fault?.cause == .pooled)
        }
    }

    @Test func `a transaction of a request may not idle for long, and that of a copy may`() async throws {
        let store = try await PostgresDatabase.blank().store()
        @Sendable func longestIdle(_ connection: PostgresConnection) throws -> String? {
            try connection.one("SELECT current_setting('idle_in_transaction_session_timeout') AS value")?["value"]
        }
        let (pooled, copying) = try await blocking {
            (
                try store.pool.lend { try longestIdle($0) },
                try longestIdle(store.pool.connect(patience: PostgresStore.copyPatience))
            )
        }
        #expect(pooled == "30s" && copying == "0")
    }
}
