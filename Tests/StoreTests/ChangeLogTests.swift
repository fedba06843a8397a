import Essentials
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// Two nodes on one database.
@Suite(.timeLimit(.minutes(15)))
struct ChangeLogTests {
    private let database: PostgresDatabase
    private let first: PostgresStore
    private let second: PostgresStore

    init() async throws {
        database = try await PostgresDatabase.migrated()
        (first, second) = (try database.store(), try database.store())
        #expect(try await first.addAccount(Make.account("a", token: 1)))
    }

    /// So that the second node answers from what it remembers.
    private func remember(_ token: UInt8) async throws {
        while second.rememberedSession(Make.digest(token)) == nil {
            _ = try await second.session(Make.digest(token))
        }
    }

    @Test func `a session that ends on one node is soon refused by another that remembers it`() async throws {
        try await remember(1)
        #expect(
            try await first.endSession(
                id: "session-1", accountID: "a", by: nil, event: Make.event(.sessionEnded, account: "a")))
        try await becomes { try await second.session(Make.digest(1)) == nil }
        #expect(second.rememberedSession(Make.digest(1)) == nil)
    }

    @Test func `a change that was purged before a node has asked for it is noticed all the same`() async throws {
        try await remember(1)
        #expect(
            try await first.endSession(
                id: "session-1", accountID: "a", by: nil, event: Make.event(.sessionEnded, account: "a")))
        try await first.write(.plain) {
            _ = try $0.run("UPDATE cache_changes SET changed_at = now() - interval '1 hour'")
        }
        try await first.purge(PurgeBounds(now: Make.start, keepEventsSince: Make.start))
        // Until then nothing is asked of the database.
        while second.isCacheTrusted { await Task.yield() }
        #expect(try await second.session(Make.digest(1)) == nil)
    }

    @Test func `a copy that takes the server's place is trusted with nothing`() async throws {
        try await remember(1)
        let server = try await blocking { try PostgresServer() }
        let url = try await server.url(of: server.makeDatabase())
        let copy = try PostgresStore(try #require(PostgresURL(url)), connections: 2)
        try await blocking { [second] in
            _ = try copy.migrate()
            try copy.pool.lend { try second.changes.ask($0) }
        }
        #expect(second.rememberedSession(Make.digest(1)) == nil)
    }

    @Test func `more changes than one portion are all purged`() async throws {
        try await first.write(.plain) { connection in
            _ = try connection.run(
                """
                INSERT INTO cache_changes (transaction, account_id, changed_at)
                SELECT pg_current_xact_id(), 'b', now() - interval '1 hour' FROM generate_series(1, 5001)
                """)
        }
        try await first.purge(PurgeBounds(now: Make.start, keepEventsSince: Make.start))
        let left = try await first.readOne {
            try $0.one("SELECT count(*) AS count FROM cache_changes WHERE account_id = 'b'")?["count"] as Int?
        }
        #expect(left == 0)
    }

    @Test func `what is deleted with its account is forgotten as well`() async throws {
        try await remember(1)
        try await first.write(.plain) { _ = try $0.run("DELETE FROM accounts WHERE id = 'a'") }
        try await becomes { try await second.session(Make.digest(1)) == nil }
    }

    @Test func `a name or a group that changes is seen`() async throws {
        try await remember(1)
        try await first.rename(to: "Grace", by: Make.presented(), event: Make.event(.profileChanged, account: "a"))
        try await becomes { try await second.session(Make.digest(1))?.account.displayName == "Grace" }
        try await remember(1)
        let group = GroupChange(accountID: "a", adding: [try #require(GroupName("staff"))])
        #expect(try await first.changeGroups(group, event: Make.event(.groupsChanged, account: "a")))
        try await becomes { try await second.session(Make.digest(1))?.account.groups == ["staff"] }
    }

    @Test func `terms that are accepted on one node hold nobody back on another`() async throws {
        try await first.loginSucceeded(
            StoredLogin(
                session: Make.session(2, account: "a", awaitsTerms: true), failuresKey: Make.key(1), returned: [],
                proved: nil, rehash: nil, events: []))
        // The second node trusts what it remembers.
        try await remember(1)
        #expect(try await second.session(Make.digest(2))?.session.awaitsTerms == true)
        try await first.accept(
            Make.consent(version: "2"), by: Make.presented(2), event: Make.event(.termsAccepted, account: "a"))
        #expect(try await second.session(Make.digest(2))?.session.awaitsTerms == false)
    }

    @Test func `a transaction that began before others and commits after them is not missed`() async throws {
        try await remember(1)
        let slow = OwnConnection()
        try await blocking { [first] in
            let connection = try slow.open(first.pool, patience: .seconds(60))
            try connection.execute("BEGIN; DELETE FROM sessions WHERE account_id = 'a'")
        }
        // Later numbers are seen while the slow one is under way.
        for number in UInt8(2)...4 {
            let email: EmailAddress = "ada\(number)@example.com"
            let id = AccountID(rawValue: "other-\(number)")
            #expect(try await first.addAccount(Make.account(id, email: email, token: number)))
            try await first.rename(
                to: "X", by: Make.presented(number, account: id), event: Make.event(.profileChanged, account: id))
            #expect(try await second.session(Make.digest(number)) != nil)
            try await remember(1)
        }
        try await blocking { try slow.current?.execute("COMMIT") }
        try await becomes { try await second.session(Make.digest(1)) == nil }
    }

    @Test func `a code waits for a consent that is being taken back, and is not kept without it`() async throws {
        let session = Make.presented()
        let consent = ApplicationConsent(application: "notes", scopes: "openid", givenAt: Make.start)
        _ = try await first.giveConsent(consent, by: session, event: Make.event(.consentGiven, account: "a"))
        let slow = OwnConnection()
        try await blocking { [first] in
            let connection = try slow.open(first.pool, patience: .seconds(60))
            try connection.execute("BEGIN; DELETE FROM application_consents")
        }
        let code = NewCode(
            digest: Make.digest(9), application: "notes", redirect: "https://notes.example/in", challenge: nil,
            nonce: nil, scopes: "openid", session: session, expiresAt: Make.start + 60)
        let kept = Task { [first] in try await first.addCode(code, needsConsent: true) }
        try await becomes { try await second.waitsForLock() }
        try await blocking { try slow.current?.execute("COMMIT") }
        await #expect(throws: ConsentMissing.self) { try await kept.value }
    }

    @Test func `sessions are remembered again after a restore of another cluster's higher numbers`() async throws {
        try await first.write(.plain) { connection in
            let number = "9000000000000000000"
            try connection.run(
                "INSERT INTO cache_horizon (one, purged_through) VALUES (1, $1::xid8)", [number])
            try connection.run(
                """
                INSERT INTO cache_changes (transaction, account_id, changed_at)
                VALUES ($1::xid8, 'a', now() - interval '1 hour')
                """, [number])
        }
        try await first.purge(PurgeBounds(now: Make.start, keepEventsSince: Make.start))
        // Other tests' transactions may have begun before the purge.
        try await becomes {
            try await remember(1)
            second.changes.didCommit()
            _ = try await second.isCacheCurrent()
            return second.rememberedSession(Make.digest(1)) != nil
        }
    }

    @Test func `a node that cannot ask uses nothing that it remembers`() async throws {
        try await remember(1)
        try second.close()
        await #expect(throws: (any Error).self) {
            while true { _ = try await second.session(Make.digest(1)) }
        }
        #expect(second.rememberedSession(Make.digest(1)) == nil)
    }

    @Test func `what a node changes itself it sees at once`() async throws {
        try await remember(1)
        #expect(
            try await second.endSession(
                id: "session-1", accountID: "a", by: nil, event: Make.event(.sessionEnded, account: "a"))
        )
        #expect(second.rememberedSession(Make.digest(1)) == nil)
        #expect(try await second.session(Make.digest(1)) == nil)
    }
}
