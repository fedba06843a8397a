import Foundation
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// Logins of one moment, which have nothing to do with each other, need one try each.
@Suite(.timeLimit(.minutes(15)))
struct PostgresLoginTests {
    private static let add = "INSERT INTO used_tokens (digest, expires_at) VALUES ($1, 1)"

    private static func addClientSession(_ connection: PostgresConnection) throws {
        try connection.insert(
            into: "client_sessions", "session_id, account_id, application, entered_at, scopes, family, refresh",
            ["session-1", "a", "notes", 1, "openid offline_access", Make.digest(200), Make.digest(100)])
    }

    private func open() async throws -> PostgresStore {
        let store = try await PostgresDatabase.migrated().store()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        #expect(try await store.addAccount(Make.account("b", email: "b@example.com", token: 2)))
        return store
    }

    private func success(_ token: UInt8, _ account: AccountID, isNew: Bool = false) -> StoredLogin {
        let at = Make.start + Double(token)
        return StoredLogin(
            session: Make.session(token, account: account, at: at), failuresKey: Make.key(1), limitedBy: Make.key(1),
            proved: PasswordHash(phc: "phc"), rehash: nil,
            events: [Make.event(isNew ? .loginNewDevice : .login, account: account, at: at)],
            notice: isNew
                ? NewSignInNotice(
                    mail: Make.mail("mail-\(token)", at: at), mailsAtMost: 3, at: at, since: at - 86_400,
                    summaryDueAt: at + 86_400) : nil,
            absent: [.key, .passkey])
    }

    /// The second begins and ends when the first has done all but commit, and so does a third, of
    /// one statement.
    private func atOnce(
        _ first: StoredLogin, _ second: StoredLogin, _ third: StoredLogin, _ store: PostgresStore
    ) async throws -> Bool {
        let connection = try await blocking {
            let connection = try store.pool.connect()
            connection.begin(Transaction.serializable.begin)
            _ = try store.succeed(first.signIn, first.session, goesToSummary: first.signIn.notice != nil, connection)
            _ = try connection.one("SELECT 1")
            return connection
        }
        _ = try await store.write {
            try store.succeed(second.signIn, second.session, goesToSummary: second.signIn.notice != nil, $0)
        }
        try await store.loginSucceeded(third)
        return try await blocking { try connection.commit() }
    }

    @Test func `logins at once do not make each other fail`() async throws {
        let store = try await open()
        #expect(try await atOnce(success(11, "a"), success(12, "b"), success(13, "b"), store))
        #expect(try await atOnce(success(14, "a"), success(15, "a"), success(16, "a"), store))
        for token: UInt8 in 11...16 { #expect(try await store.session(Make.digest(token)) != nil) }
    }

    @Test func `nor do those that a summary tells of`() async throws {
        let store = try await open()
        for token: UInt8 in 11...14 {
            for (account, offset) in [("a", 0), ("b", 10)] as [(AccountID, UInt8)] {
                try await store.loginSucceeded(success(token + offset, account, isNew: true))
            }
        }
        for (second, tokens) in [("b", 31...33), ("a", 34...36)] as [(AccountID, ClosedRange<UInt8>)] {
            let logins = tokens.map { success($0, $0 == tokens.lowerBound ? "a" : second, isNew: true) }
            #expect(try await atOnce(logins[0], logins[1], logins[2], store))
        }
        #expect(try await store.outboxEntry(id: "mail-13") != nil)
        for id in ["mail-14", "mail-31", "mail-32", "mail-34"] { #expect(try await store.outboxEntry(id: id) == nil) }
    }

    @Test func `a session that is too many and locked is ended by the next login`() async throws {
        let store = try await open()
        for token: UInt8 in 11..<(11 + UInt8(Session.mostPerAccount) - 1) {
            try await store.loginSucceeded(success(token, "a"))
        }
        let connection = try await blocking {
            let connection = try store.pool.connect()
            try connection.execute(
                "BEGIN; SELECT 1 FROM sessions WHERE account_id = 'a' AND id = 'session-1' FOR UPDATE")
            return connection
        }
        try await store.loginSucceeded(success(150, "a"))
        #expect(try await store.session(Make.digest(1)) != nil)
        try await blocking { try connection.execute("ROLLBACK") }
        try await store.loginSucceeded(success(151, "a"))
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.session(Make.digest(11)) == nil)
        #expect(try await store.session(Make.digest(12)) != nil)
    }

    /// A refresh of tokens holds its row of `client_sessions`, and then asks for the session's.
    @Test func `a refresh does not wait for a login that ends its session as one too many`() async throws {
        let store = try await open()
        for token: UInt8 in 11..<(11 + UInt8(Session.mostPerAccount) - 1) {
            try await store.loginSucceeded(success(token, "a"))
        }
        try await store.write { try Self.addClientSession($0) }
        let refresh = try await blocking {
            let connection = try store.pool.connect()
            try connection.execute(
                "BEGIN; SET LOCAL lock_timeout = '500ms'; UPDATE client_sessions SET scopes = 'openid'")
            return connection
        }
        let isDone = Mutex(false)
        let login = Task {
            try await store.loginSucceeded(success(150, "a"))
            isDone.withLock { $0 = true }
        }
        try await becomes { if isDone.withLock({ $0 }) { true } else { try await store.waitsForLock() } }
        try await blocking {
            try refresh.execute("SELECT 1 FROM sessions WHERE id = 'session-1' FOR KEY SHARE; COMMIT")
        }
        try await login.value
        #expect(try await store.session(Make.digest(150)) != nil)
        try await store.loginSucceeded(success(151, "a"))
        #expect(try await store.session(Make.digest(1)) == nil)
    }

    @Test func `a login whose commit was not heard of is made once, and is acknowledged`() async throws {
        let (dropper, url) = try await AnswerDropper.before(PostgresDatabase.migrated())
        let store = try PostgresStore(url, connections: 1)
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        // Prepares the statements, so that the next login is one question and one answer.
        try await store.loginSucceeded(success(11, "a"))
        dropper.dropNextAnswer()
        try await store.loginSucceeded(success(12, "a"))
        #expect(dropper.count == 1)
        #expect(try await store.session(Make.digest(12)) != nil)
        #expect(try await store.sessions(accountID: "a", now: Make.start).count == 3)
        // Known already, and no answer was lost.
        let fault = await #expect(throws: PostgresFault.self) { try await store.loginSucceeded(success(12, "a")) }
        #expect(fault?.isUnique == true)
    }

    @Test func `a login that is refused ends no session`() async throws {
        let store = try await open()
        for token: UInt8 in 11..<(11 + UInt8(Session.mostPerAccount) - 1) {
            try await store.loginSucceeded(success(token, "a"))
        }
        #expect(try await store.disableAccount(id: "b", event: Make.event(.accountDisabled, account: "b")))
        await #expect(throws: Superseded.self) { try await store.loginSucceeded(success(200, "b")) }
        let wrong = StoredLogin(
            session: Make.session(201, account: "a"), failuresKey: Make.key(1), returned: [],
            proved: PasswordHash(phc: "old"), rehash: nil, events: [Make.event(.login, account: "a")])
        await #expect(throws: Superseded.self) { try await store.loginSucceeded(wrong) }
        #expect(try await store.session(Make.digest(1)) != nil)
        #expect(try await store.session(Make.digest(201)) == nil)
    }

    private func count(_ store: PostgresStore) async throws -> Int {
        try await store.read { try $0.one("SELECT count(*) AS count FROM used_tokens")?["count"] ?? 0 }
    }

    private func adding(_ digest: UInt8, if reason: String = "SELECT 1") -> FollowUp {
        FollowUp(
            reason: PostgresStatement(sql: reason),
            statement: PostgresStatement(sql: Self.add, parameters: [Make.digest(digest)]))
    }

    @Test func `what follows a commit may fail, and is left out when the commit fails`() async throws {
        let store = try await PostgresStore(PostgresDatabase.migrated().url, connections: 1)
        try await store.write { connection in
            connection.later(Self.add, [Make.digest(1)])
            connection.afterCommit(adding(1))
        }
        #expect(try await count(store) == 1)
        await #expect(throws: PostgresFault.self) {
            try await store.write(.plain) { connection in
                connection.later(Self.add, [Make.digest(1)])
                connection.afterCommit(adding(3))
            }
        }
        await #expect(throws: UsedBefore.self) {
            try await store.write(.plain) { connection in
                connection.afterCommit(adding(4))
                throw UsedBefore()
            }
        }
        #expect(try await count(store) == 1)
        try await store.write(.plain) { connection in
            connection.later(Self.add, [Make.digest(5)])
            connection.afterCommit(adding(6))
        }
        #expect(try await count(store) == 3)
    }

    @Test func `what follows a commit is done for a reason only`() async throws {
        let store = try await PostgresStore(PostgresDatabase.migrated().url, connections: 1)
        for reason in ["SELECT 1 WHERE false", "SELECT 1 / (SELECT 0)"] {
            try await store.write(.plain) { connection in
                connection.later("DELETE FROM used_tokens")
                connection.later(Self.add, [Make.digest(1)])
                connection.afterCommit(adding(2, if: reason))
            }
            #expect(try await count(store) == 1)
        }
        let reason = "SELECT 1 FROM used_tokens"
        try await store.write(.plain) { connection in
            connection.later(Self.add, [Make.digest(3)])
            connection.afterCommit(adding(4, if: reason))
            connection.afterCommit(adding(5, if: "SELECT 1 WHERE false"))
            connection.afterCommit(adding(6, if: reason))
        }
        #expect(try await count(store) == 4)
    }

    /// Disables the account as an operator does. At each try something else is begun that reads the
    /// account and adds to it.
    private func disable(
        _ store: PostgresStore, beside other: @escaping @Sendable (_ number: UInt8) async throws -> Void
    ) async throws {
        let tries = Mutex<UInt8>(0)
        try await store.write(.urgent) { connection in
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            for table in ["sessions", "pending_logins", "client_sessions"] {
                _ = try connection.all("SELECT 1 FROM \(table) WHERE account_id = 'a'")
            }
            let isDone = DispatchSemaphore(value: 0)
            Task.detached {
                defer { isDone.signal() }
                try await other(number)
            }
            // At later tries it may wait for this transaction.
            _ = isDone.wait(timeout: .now() + (number == 1 ? 60 : 0.2))
            try connection.run("UPDATE accounts SET disabled_at = 1 WHERE id = 'a'")
            try store.carryOut(WaysInEnd(.disabled), of: "a", connection)
        }
        #expect(tries.withLock { $0 } > 1)
        #expect(try await store.sessions(accountID: "a", now: Make.start).isEmpty)
    }

    @Test(arguments: [false, true])
    func `constant sign-ins do not keep an account from being disabled`(withSecondStep: Bool) async throws {
        let store = try await open()
        try await disable(store) { number in
            if withSecondStep {
                try await store.beginSecondStep(Make.pendingLogin(20 + number))
            } else {
                try await store.loginSucceeded(success(20 + number, "a"))
            }
        }
    }

    @Test func `constant sign-ins during a vacuum do not keep an account from being disabled`() async throws {
        let store = try await open()
        let vacuum = try await blocking {
            let connection = try store.pool.connect()
            try connection.execute("BEGIN; LOCK TABLE sessions IN SHARE UPDATE EXCLUSIVE MODE")
            return connection
        }
        try await disable(store) { try await store.loginSucceeded(success(20 + $0, "a")) }
        try await blocking { try vacuum.execute("ROLLBACK") }
    }

    @Test func `constant refreshes of tokens do not keep an account from being disabled`() async throws {
        let store = try await open()
        try await store.write { try Self.addClientSession($0) }
        let latest = Mutex<UInt8>(100)
        try await disable(store) { number in
            let given = NewTokens(
                access: Make.digest(100 + number), accessExpiresAt: Make.start + 600, family: Make.digest(200),
                refresh: Make.digest(100 + number))
            let rotation = RefreshRotation(
                family: Make.digest(200), token: Make.digest(latest.withLock { $0 }),
                application: ProtectedApplication(name: "notes", origins: [], label: ""), given: given,
                requiresFactor: false, now: Make.start, replayed: Make.event(.refreshReplayed, account: nil))
            if try await store.rotate(rotation).grant != nil { latest.withLock { $0 = 100 + number } }
        }
    }

    @Test(arguments: [Transaction.serializable, .plain])
    func `an exclusive transaction waits for every durable one`(kind: Transaction) async throws {
        let store = try await open()
        try await store.transaction(kind) { connection in
            _ = try connection.one("SELECT 1")
            let other = try store.pool.connect()
            other.begin(Transaction.exclusive)
            let fault = #expect(throws: PostgresFault.self) { _ = try other.one("SELECT 1") }
            #expect(fault?.isLockTimeout == true)
        }
    }
}
