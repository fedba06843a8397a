import Foundation
import GRDB
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Own commits and those of other processes, as which SQLite counts every other connection.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct CommitWatchTests {
    private let store: SQLiteStore
    private let other: DatabaseQueue

    /// Two accounts, and nothing that has yet to be noticed.
    init() async throws {
        (store, other) = try Engine.fileWithAnotherProcess(waiting: 5)
        _ = try await store.addAccount(Make.account("a", token: 1))
        _ = try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2))
    }

    private func name() async throws -> String? {
        try await store.session(Make.digest(1))?.account.displayName
    }

    private func renameElsewhere(to name: String) async throws {
        try await other.write { try $0.execute(sql: "UPDATE accounts SET display_name = ?", arguments: [name]) }
    }

    /// Whether the first account is remembered, and may be, after asking for commits of others.
    private func isRemembered() throws -> Bool {
        try store.watch.ask() && store.cache.session(Make.digest(1)) != nil
            && store.cache.overview("a", events: 5) != nil
    }

    private func remember() async throws {
        _ = try await name()
        _ = try await store.accountOverview(accountID: "a", events: 5, now: Make.start)
        #expect(try isRemembered())
    }

    private func login(_ token: UInt8, of account: AccountID) -> StoredLogin {
        StoredLogin(
            session: Make.session(token, account: account), failuresKey: [1], returned: [], proved: nil, rehash: nil,
            events: [Make.event(.login, account: account)])
    }

    @Test func `what others do here leaves an account remembered`() async throws {
        try await remember()
        try await store.loginSucceeded(login(3, of: "b"))
        #expect(try isRemembered())
        try await store.touchSession(id: "session-2", at: Make.start + 100)
        #expect(try isRemembered())
        try await store.addPendingSignup(Make.pending(flow: 1, email: "new@example.com"), mails: Make.mails())
        #expect(try isRemembered())
        _ = try await store.completeSignup(
            flow: Make.digest(1), attempt: Make.attempt(9),
            new: Make.account("c", email: "new@example.com", token: 4), now: Make.start)
        #expect(try isRemembered())
        let claim = LimitClaim(key: Array(repeating: 1, count: 16), interval: 1, burst: 60_000)
        _ = try await store.take([claim], now: Make.start)
        try await store.loginFailed(failuresKey: Make.key(2), event: Make.event(.loginFailed, account: nil))
        try await store.checkWritable(now: Make.start)
        #expect(try isRemembered())
        try await store.mailFailed(id: "any", reason: "any", retryAt: nil)
        #expect(
            try await store.endSession(
                id: "session-3", accountID: "b", by: nil, event: Make.event(.logout, account: "b")))
        #expect(try isRemembered())
        _ = try await store.disableAccount(id: "b", event: Make.event(.accountDisabled, account: "b"))
        #expect(try isRemembered())
    }

    @Test func `housekeeping that finds nothing of it, and cutting the log, leave an account remembered`() async throws
    {
        try await remember()
        try await store.purge(PurgeBounds(now: Make.start + 60, keepEventsSince: Make.start - 60))
        #expect(try isRemembered())
        try await store.checkWritable(now: Make.start)
        await store.cutLog()
        #expect(try isRemembered())
    }

    @Test func `a commit elsewhere empties the cache when it is asked for`() async throws {
        try await remember()
        try await renameElsewhere(to: "Elsewhere")
        #expect(try !isRemembered())
        #expect(try await name() == "Elsewhere")
    }

    @Test func `a commit elsewhere empties the cache although one of ours comes after it`() async throws {
        try await remember()
        try await renameElsewhere(to: "Elsewhere")
        try await store.touchSession(id: "session-2", at: Make.start + 100)
        #expect(store.cache.session(Make.digest(1)) == nil)
        #expect(try await name() == "Elsewhere")
    }

    @Test func `while a commit of ours may hide one of others the cache is not asked`() async throws {
        try await remember()
        store.watch.willCommit()
        #expect(try store.watch.ask())
        try await renameElsewhere(to: "Elsewhere")
        #expect(try !store.watch.ask())
        while store.watch.isTrusted { await Task.yield() }
        #expect(store.cache.session(Make.digest(1))?.account.displayName == "Ada")
        #expect(try await name() == "Elsewhere")
        try await store.database.writeWithoutTransaction { [watch = store.watch] in watch.didCommit($0) }
        #expect(try store.watch.ask())
        #expect(try await name() == "Elsewhere")
    }

    @Test func `a migration forgets all, and triggers are made anew`() async throws {
        try await remember()
        try await store.database.writeWithoutTransaction { database in
            try database.execute(sql: "DROP TRIGGER temp.changed_accounts_UPDATE")
        }
        store.watch.schemaChanged()
        #expect(try !isRemembered())
        try await store.checkWritable(now: Make.start)
        try await remember()
        try await store.rename(to: "Ada King", by: Make.presented(), event: Make.event(.profileChanged, account: "a"))
        #expect(try await name() == "Ada King")
    }
}
