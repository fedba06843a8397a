import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// Statements that are sent together, and what becomes of them when one fails.
@Suite(.timeLimit(.minutes(15)))
struct PostgresTransactionTests {
    private static let add = "INSERT INTO used_tokens (digest, expires_at) VALUES ($1, 1)"

    /// One connection, so that whatever follows a fault is on the same one.
    private func open() async throws -> PostgresStore {
        try await PostgresStore(PostgresDatabase.migrated().url, connections: 1)
    }

    private func count(_ store: PostgresStore) async throws -> Int {
        try await store.read { try $0.one("SELECT count(*) AS count FROM used_tokens")?["count"] ?? 0 }
    }

    @Test func `a statement sees what was sent before it`() async throws {
        let store = try await open()
        let seen = try await store.write(.plain) { connection in
            connection.later(Self.add, [Make.digest(1)])
            connection.later(Self.add, [Make.digest(2)])
            return try connection.one("SELECT count(*) AS count FROM used_tokens")?["count"] as Int?
        }
        #expect(seen == 2)
        #expect(try await count(store) == 2)
    }

    @Test func `what nobody asked about is committed, by every kind of transaction`() async throws {
        let store = try await open()
        try await store.write { $0.later(Self.add, [Make.digest(1)]) }
        try await store.write(.plain) { $0.later(Self.add, [Make.digest(2)]) }
        try await store.write(.relaxed) { $0.later(Self.add, [Make.digest(3)]) }
        #expect(try await count(store) == 3)
    }

    @Test func `after a conflict there are twenty tries, however long they took, after a lost connection none`()
        async throws
    {
        let store = try await open()
        let conflict = try #require(
            await #expect(throws: PostgresFault.self) {
                try await store.pool.with {
                    try $0.run("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001', MESSAGE = 'met'; END $$", [])
                }
            })
        var backoff = Backoff(end: .now)
        var tries = 0
        while !backoff.isOver(after: conflict) {
            tries += 1
            try await backoff.wait()
        }
        #expect(tries == 20)
        #expect(Backoff(end: .now).isOver(after: PostgresFault("lost")))
        #expect(!Backoff().isOver(after: PostgresFault("lost")))
    }

    @Test func `a statement that fails with the commit undoes the transaction and says why`() async throws {
        let store = try await open()
        let fault = await #expect(throws: PostgresFault.self) {
            try await store.write(.plain) { connection in
                try connection.run(Self.add, [Make.digest(1)])
                connection.later(Self.add, [Make.digest(2)])
                connection.later(Self.add, [Make.digest(2)])
                connection.later(Self.add, [Make.digest(3)])
            }
        }
        #expect(fault?.isUnique == true)
        #expect(try await count(store) == 0)
        try await store.write(.plain) { $0.later(Self.add, [Make.digest(4)]) }
        #expect(try await count(store) == 1)
    }

    @Test func `a statement that fails before one that is asked about is what that one throws`() async throws {
        let store = try await open()
        await #expect(throws: Superseded.self) {
            try await store.write { connection in
                connection.later(
                    "INSERT INTO factor_keys (account_id, kind, sealed, counter, created_at) VALUES ('nobody', 'totp', 'x', 0, 0)"
                )
                connection.later(Self.add, [Make.digest(1)])
                _ = try connection.one("SELECT 1")
            }
        }
        #expect(try await count(store) == 0)
    }

    @Test func `work that throws leaves nothing behind of what it sent later`() async throws {
        let store = try await open()
        await #expect(throws: UsedBefore.self) {
            try await store.write(.plain) { connection in
                connection.later(Self.add, [Make.digest(1)])
                throw UsedBefore()
            }
        }
        #expect(try await count(store) == 0)
        try await store.write(.plain) { $0.later(Self.add, [Make.digest(2)]) }
        #expect(try await count(store) == 1)
    }
}
