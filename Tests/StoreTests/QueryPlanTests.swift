import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// How SQLite finds rows.
struct QueryPlanTests {
    private let store: SQLiteStore

    init() async throws {
        store = try SQLiteStore(inMemory: ())
        _ = try await store.addAccount(Make.account("a"))
        try await store.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
    }

    /// What requests ask all day.
    private func work() async throws {
        let (now, key) = (Make.start, "ada@example.com")
        _ = try await store.loginRecord(emailKey: key, failuresKey: Make.key(1))
        try await store.loginFailed(failuresKey: Make.key(1), event: Make.event(.loginFailed, account: "a"))
        _ = try await store.signInFacts(accountID: "a")
        try await store.loginSucceeded(
            StoredLogin(
                session: Make.session(2, account: "a"), failuresKey: Make.key(1), returned: [], proved: nil,
                rehash: nil, events: []))
        try await store.database.read { database in
            _ = try store.readSession(Make.digest(2), database)
            _ = try store.readOverview("a", 5, now, database)
        }
        try await store.touchSession(id: "session-2", at: now + 60)
        _ = try await store.pendingSignup(flow: Make.digest(1), now: now)
        _ = try await store.identity(issuer: "i", subject: "s")
        _ = try await store.take([LimitClaim(key: Make.key(1), interval: 1000, burst: 10_000)], now: now)
        _ = try await store.untriedMailDue()
        _ = try await store.dueSignInSummaries(now: now)
        try await store.purge(PurgeBounds(now: now, keepEventsSince: now))
    }

    private func statements(of work: () async throws -> Void) async throws -> Set<String> {
        let statements = Mutex<Set<String>>([])
        let first = ["SELECT", "INSERT", "UPDATE", "DELETE"]
        try await store.database.writeWithoutTransaction { database in
            database.trace { event in
                let sql = "\(event)"
                if first.contains(where: sql.hasPrefix) { _ = statements.withLock { $0.insert(sql) } }
            }
        }
        try await work()
        try await store.database.writeWithoutTransaction { $0.trace(options: []) }
        return statements.withLock { $0 }
    }

    private func plan(_ sql: String, _ database: Database) throws -> [String] {
        let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
        statement.setUncheckedArguments([])
        return try Row.fetchAll(statement).map { $0["detail"] }
    }

    @Test func `mails are taken in the same words for any number of domains and recipients`() async throws {
        func taking(_ count: Int) async throws -> Set<String> {
            let others = Set((0..<count).map { Make.key(UInt8($0)) })
            let choice = MailChoice(domains: .except(others), notTo: others)
            return try await statements {
                _ = try await store.takeDueMails(limit: 1, among: choice, now: Make.start + 9, leaseUntil: Make.start)
            }
        }
        let one = try await taking(1)
        #expect(!one.isEmpty)
        #expect(try await taking(30) == one)
    }

    @Test func `to take a mail, no mails that wait are sorted`() async throws {
        let taking = try await statements {
            _ = try await store.takeDueMails(limit: 1, now: Make.start + 9, leaseUntil: Make.start + 60)
        }
        let taken = try #require(taking.first { $0.hasPrefix("UPDATE outbox") })
        let steps = try await store.database.read { try plan(taken, $0) }
        let search = "SEARCH outbox USING INDEX outbox_by_turn (<expr>=? AND due_at<?)"
        #expect(steps.filter { $0.contains(search) }.count == 5)
        #expect(!steps.contains { $0.contains("TEMP B-TREE") })
    }

    @Test func `to take a signal, no signals that wait are sorted`() async throws {
        let events = ["account.created", "session.started"]
        try await store.setSubscriptions(Set(events.map { SignalSubscription(event: $0, target: "webhook:portal") }))
        _ = try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2))
        let statements = try await statements {
            let lease = MailLease(node: "1", until: Make.start + 60)
            let first = try await store.takeDueSignal(for: "webhook:portal", now: Make.start, lease: lease)
            try await store.signalFailed(
                id: first?.id ?? "", node: "1", reason: "busy", retryAt: Make.start + 5)
            #expect(try await store.takeDueSignal(for: "webhook:portal", now: Make.start, lease: lease) == nil)
        }
        let updates = statements.filter { $0.hasPrefix("UPDATE signals") && !$0.contains("failure") }
        #expect(updates.count == 2)
        for update in updates {
            let steps = try await store.database.read { try plan(update, $0) }
            #expect(steps.contains { $0.contains("USING INDEX signals_by_due (target=? AND due_at") }, "\(steps)")
            #expect(steps.contains { $0.contains("earlier USING INDEX signals_by_account") }, "\(steps)")
            #expect(!steps.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN signals") }, "\(steps)")
        }
    }

    @Test func `no request reads a whole table`() async throws {
        let database = try DatabaseQueue()
        try Schema.migrator.migrate(database)
        let statements = try await statements(of: work)
        #expect(statements.count > 30)
        // A purge may: it looks for so many rows.
        let requests = statements.filter { !$0.hasSuffix("LIMIT 500") }
        let steps = try await database.read { database in try requests.flatMap { try plan($0, database) } }
        // The first of a table, read in place of an account that is not there.
        let first = "SCAN accounts USING COVERING INDEX sqlite_autoindex_accounts_1"
        #expect(Set(steps.filter { $0.hasPrefix("SCAN") && $0 != "SCAN CONSTANT ROW" }) == [first])
    }
}
