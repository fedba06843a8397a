import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// Several nodes on one database.
struct PostgresNodeTests {
    private let lease = Make.start + 60

    /// A store over the database, as another server has it.
    private func node(_ id: String, _ database: PostgresDatabase, at now: Date = Make.start) async throws
        -> PostgresStore
    {
        let store = try database.store()
        try await store.releaseMails(startedBy: Make.node(id), now: now)
        return store
    }

    @Test func `a node that starts frees no mail while another one serves`() async throws {
        let database = try await PostgresDatabase.migrated()
        let first = try await node("1", database)
        try await first.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        #expect(try await first.takeDueMails(limit: 5, by: "1", now: Make.start, leaseUntil: lease).count == 1)
        // Nobody has noted the first one again: it may have lost its connections in a fail-over.
        let second = try await node("2", database, at: lease - 1)
        #expect(try await second.takeDueMails(limit: 5, by: "2", now: lease - 1, leaseUntil: lease + 60).isEmpty)
        #expect(try await second.takeDueMails(limit: 5, by: "2", now: lease, leaseUntil: lease + 60).count == 1)
    }

    @Test func `a node that starts alone frees all mails, whether the last one stopped or was killed`() async throws {
        for isKilled in [false, true] {
            let database = try await PostgresDatabase.migrated()
            let first = try await node("1", database)
            try await first.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
            let far = Make.start + 3600
            #expect(try await first.takeDueMails(limit: 5, by: "1", now: Make.start, leaseUntil: far).count == 1)
            if !isKilled { try await first.removeNode(id: "1") }
            let silent = Make.start + Node.silentAfter
            let second = try await node("2", database, at: isKilled ? silent : Make.start)
            #expect(try await second.takeDueMails(limit: 5, by: "2", now: silent, leaseUntil: far).count == 1)
            #expect(try await second.nodes().contains { $0.node.id == "2" })
        }
    }

    @Test func `a node that was killed while its clock was ahead does not count as serving`() async throws {
        let database = try await PostgresDatabase.migrated()
        let first = try await node("1", database, at: Make.start + 86_400)
        try await first.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        let far = Make.start + 3600
        #expect(try await first.takeDueMails(limit: 5, by: "1", now: Make.start, leaseUntil: far).count == 1)
        let second = try await node("2", database, at: Make.start)
        #expect(try await second.takeDueMails(limit: 5, by: "2", now: Make.start, leaseUntil: far).count == 1)
        let ahead = try #require(try await second.nodes().first { $0.node.id == "1" })
        #expect(!ahead.isServing(at: Make.start) && ahead.isServing(at: Make.start + 86_400))
    }

    @Test func `mails that several nodes take at once are each taken by one`() async throws {
        let database = try await PostgresDatabase.migrated()
        let nodes = try (0..<4).map { _ in try database.store() }
        for flow in 0..<40 { try await nodes[0].addPendingSignup(Make.pending(flow: UInt8(flow)), mails: Make.mails()) }
        let taken = try await withThrowingTaskGroup(of: [String].self) { group in
            for round in 0..<40 {
                group.addTask { [lease] in
                    try await nodes[round % 4].takeDueMails(limit: 1, now: Make.start, leaseUntil: lease).map(\.id)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.count == 40 && Set(taken).count == 40)
    }

    @Test func `what is staged on one node waits for nobody and nobody waits for it`() async throws {
        let database = try await PostgresDatabase.migrated()
        let (server, command) = (try database.store(), try database.store())
        func staged(_ line: Int, _ email: EmailAddress) -> StagedAccount {
            StagedAccount(
                line: line,
                account: Account(
                    id: "imported-\(line)", email: email, displayName: "Ada", createdAt: Make.start, verifiedAt: nil,
                    locale: "de", termsVersion: nil),
                passwordHash: nil)
        }
        try await command.beginImport()
        #expect(try await command.stage([staged(1, "ada@example.com")]).isEmpty)
        try await server.beginImport()
        #expect(try await server.stage([staged(1, "ada@example.com")]).isEmpty)
        try await server.endImport()
        let event = Make.event(.accountsImported, account: nil)
        #expect(try await command.completeImport(skipTaken: false, event: event) == .done(1, taken: []))
        #expect(try await server.loginRecord(emailKey: "ada@example.com", failuresKey: [0]).account != nil)
    }

    @Test func `while one node purges another one leaves it to that`() async throws {
        let database = try await PostgresDatabase.migrated()
        let (first, second) = (try database.store(), try database.store())
        _ = try await first.take([LimitClaim(key: Make.key(1), interval: 10, burst: 10)], now: Make.start)
        let bounds = PurgeBounds(now: Make.start + 60, keepEventsSince: Make.start)
        func counters() async throws -> Int {
            try await first.read { try $0.one("SELECT count(*) AS count FROM rate_limits")?["count"] ?? 0 }
        }
        try await blocking {
            try first.pool.lend { connection in
                try connection.execute("SELECT pg_advisory_lock(\(AdvisoryLock.purge.key))")
            }
        }
        try await second.purge(bounds)
        #expect(try await counters() == 1)
        try await blocking {
            try first.pool.lend { try $0.execute("SELECT pg_advisory_unlock(\(AdvisoryLock.purge.key))") }
        }
        try await second.purge(bounds)
        #expect(try await counters() == 0)
    }

    /// Runs the work, which waits for the counter of key 1, and says whether that of key 2 is free
    /// meanwhile.
    private func isSecondFree(_ store: PostgresStore, during work: @escaping @Sendable () async throws -> Void)
        async throws -> Bool
    {
        let claims = [1, 2].map { LimitClaim(key: Make.key($0), interval: 1, burst: 1_000_000) }
        #expect(try await store.take(claims, now: Make.start) == nil)
        let (isFree, waiting) = try await store.pool.with { connection in
            try connection.execute("BEGIN")
            _ = try connection.one("SELECT 1 FROM rate_limits WHERE key = $1 FOR UPDATE", [Make.key(1)])
            let waiting = Task { try await work() }
            while try connection.one("SELECT 1 FROM pg_locks WHERE NOT granted") == nil { usleep(1000) }
            let row = try connection.one(
                "SELECT 1 FROM rate_limits WHERE key = $1 FOR UPDATE SKIP LOCKED", [Make.key(2)])
            try connection.execute("COMMIT")
            return (row != nil, waiting)
        }
        try await waiting.value
        return isFree
    }

    @Test func `limits are taken and given back in the order of their keys, so that no two requests wait in a circle`()
        async throws
    {
        let store = try await PostgresDatabase.migrated().store()
        let claims = [2, 1].map { LimitClaim(key: Make.key($0), interval: 1, burst: 1_000_000) }
        #expect(try await isSecondFree(store) { _ = try await store.take(claims, now: Make.start) })
        #expect(try await isSecondFree(store) { try await store.giveBack(claims) })
    }
}
