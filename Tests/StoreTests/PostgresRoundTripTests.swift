import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// How often the server is asked: each time is a wait, which the network may make long.
@Suite(.timeLimit(.minutes(15)))
struct PostgresRoundTripTests {
    private func questions(_ dropper: AnswerDropper, _ work: () async throws -> Void) async throws -> Int {
        let before = dropper.questions
        try await work()
        return dropper.questions - before
    }

    private func open() async throws -> (AnswerDropper, PostgresStore) {
        let (dropper, url) = try await AnswerDropper.before(PostgresDatabase.migrated())
        let store = try PostgresStore(url, connections: 1)
        // The connection is made.
        try await store.pool.with { try $0.execute("SELECT 1") }
        return (dropper, store)
    }

    @Test func `a statement that the connection does not know yet takes one`() async throws {
        let (dropper, store) = try await open()
        for _ in 0..<2 {
            let read = try await questions(dropper) { _ = try await store.serverTime() }
            // The mark of the transaction, and the commit.
            let written = try await questions(dropper) {
                try await store.write(.plain) { $0.later("UPDATE accounts SET display_name = 'Grace'") }
            }
            #expect(read == 1 && written == 2)
        }
    }

    @Test func `a statement that cannot be prepared harms nothing that was sent with it`() async throws {
        let (_, store) = try await open()
        let add = "INSERT INTO used_tokens (digest, expires_at) VALUES ($1, 1)"
        for _ in 0..<2 {
            await #expect(throws: PostgresFault.self) {
                try await store.write(.plain) { connection in
                    connection.later(add, [Make.digest(1)])
                    _ = try connection.one("SELECT nothing FROM nowhere")
                }
            }
        }
        try await store.write(.plain) { connection in
            connection.later(add, [Make.digest(1)])
            connection.later(add, [Make.digest(2)])
        }
        let count = try await store.read { try $0.one("SELECT count(*) AS count FROM used_tokens")?["count"] as Int? }
        #expect(count == 2)
    }

    @Test func `limits are taken in one, and refused in one`() async throws {
        let (dropper, store) = try await open()
        func claim(_ key: UInt8) -> LimitClaim {
            LimitClaim(key: Array(repeating: key, count: 16), interval: 1000, burst: 1000)
        }
        var refused: [LimitRefusal?] = []
        let first = try await questions(dropper) {
            refused.append(try await store.take([claim(1), claim(2)], now: Make.start))
        }
        let second = try await questions(dropper) {
            refused.append(try await store.take([claim(3), claim(2)], now: Make.start))
        }
        #expect(refused.map { $0?.key } == [nil, claim(2).key])
        #expect(first == 1 && second == 1)
    }

    @Test func `a login takes one, and a second one when a session is too many`() async throws {
        let (dropper, store) = try await open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        func login(_ token: UInt8) async throws -> Int {
            try await questions(dropper) {
                try await store.loginSucceeded(
                    StoredLogin(
                        session: Make.session(token, account: "a"), failuresKey: Make.key(1), returned: [], proved: nil,
                        rehash: nil, events: [Make.event(.login, account: "a")]))
            }
        }
        for token in 2...UInt8(Session.mostPerAccount) { #expect(try await login(token) == 1) }
        #expect(try await login(200) == 2)
        #expect(try await login(201) == 2)
        #expect(try await store.sessions(accountID: "a", now: Make.start).count == Session.mostPerAccount)
    }
}
