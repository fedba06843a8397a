import Foundation
import GRDB
import StoreSupport
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

@Suite(.closesStores)
struct AccountDeletionStoreTests {
    private func erasure(of id: AccountID, farewell: QueuedMail? = Make.mail("farewell")) -> AccountErasure {
        AccountErasure(
            accountID: id, session: nil, emailKey: "ada@example.com", failuresKey: Make.key(4),
            mailboxes: [
                "ada@example.com": .init(recipients: [Make.key(3)], farewell: farewell),
                "bob@example.com": .init(recipients: [Make.key(7)], farewell: Make.mail("farewell to bob")),
            ],
            event: SecurityEvent(
                id: "gone", kind: .accountDeleted, accountID: nil, at: Make.start, address: nil, userAgent: "")
        )
    }

    private func fill(_ store: any Store) async throws {
        _ = try await store.addAccount(Make.account("account-a", token: 1))
        _ = try await store.addAccount(Make.account("account-b", email: "bob@example.com", token: 2))
        _ = try await store.link(
            LinkedIdentity(
                identity: Identity(
                    id: "i", accountID: "account-a", provider: "apple", issuer: "i", subject: "s",
                    email: "ada@x.example",
                    createdAt: Make.start),
                refreshToken: [1]),
            by: Make.presented(account: "account-a"), once: nil, Make.change(.identityLinked, of: "account-a"))
        try await store.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        try await store.addPendingReset(
            PendingReset(code: Make.pendingCode(flow: 3, code: 1, codeLives: 0, lives: 0), locale: "en"),
            replaces: nil,
            mail: QueuedMail(id: "waiting", sealed: [9], createdAt: Make.start, attempts: 0, recipient: Make.key(3))
        )
        try await store.addPendingEmailChange(
            PendingEmailChange(
                code: Make.pendingCode(flow: 5, email: "n@example.com", code: 2, codeLives: 0, lives: 0),
                accountID: "account-a"), by: Make.presented(account: "account-a"),
            mail: QueuedMail(id: "other", sealed: [9], createdAt: Make.start, attempts: 0, recipient: Make.key(5)),
            event: Make.event(.emailChangeRequested, account: "account-a")
        )
        try await store.loginFailed(failuresKey: Make.key(4), event: Make.event(.loginFailed, account: "account-a"))
    }

    @Test(arguments: Engine.allCases)
    func `the account is gone once, others stay`(engine: Engine) async throws {
        let store = try await engine.open()
        try await fill(store)
        #expect(try await store.erase(erasure(of: "account-a")))
        #expect(try await !store.erase(erasure(of: "account-a")))
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.session(Make.digest(2)) != nil)
        let record = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Make.key(4))
        #expect(record.account == nil && record.failuresInARow == 0)
        #expect(try await store.export(accountID: "account-a", now: Make.start) == nil)
        let mails = try await store.takeDueMails(limit: 99, now: Make.start, leaseUntil: Make.start + 60).map(\.id)
        #expect(mails.contains("farewell") && !mails.contains("other") && !mails.contains("waiting"))
    }

    @Test(arguments: Engine.allCases)
    func `without a farewell the account's mails go all the same`(engine: Engine) async throws {
        let store = try await engine.open()
        try await fill(store)
        #expect(try await store.erase(erasure(of: "account-a", farewell: nil)))
        let mails = try await store.takeDueMails(limit: 99, now: Make.start, leaseUntil: Make.start + 60).map(\.id)
        #expect(!mails.contains("farewell") && !mails.contains("waiting"))
    }

    @Test(arguments: Engine.allCases)
    func `a mail with another code for an address that was only wanted goes, too`(engine: Engine) async throws {
        let store = try await engine.open()
        try await fill(store)
        try await store.addPendingEmailChange(
            PendingEmailChange(
                code: Make.pendingCode(flow: 6, email: "n@example.com", code: 2), accountID: "account-a"),
            by: Make.presented(account: "account-a"), mail: Make.mail("first"),
            event: Make.event(.emailChangeRequested, account: "account-a"))
        let renewal = Make.renewal(flow: 6, code: 3, .certain(Make.mail("second")))
        #expect(try await store.renewCode(renewal, of: .emailChange, now: Make.start))
        #expect(try await store.erase(erasure(of: "account-a")))
        let mails = try await store.takeDueMails(limit: 99, now: Make.start, leaseUntil: Make.start + 60).map(\.id)
        #expect(!mails.contains("second"))
    }

    @Test(arguments: Engine.allCases)
    func `an account with an address that is new since its erasure was prepared stays whole`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("account-a", email: "new@example.com", token: 1))
        await #expect(throws: Superseded.self) { try await store.erase(erasure(of: "account-a")) }
        #expect(try await store.addresses(accountID: "account-a") == ["new@example.com"])
        #expect(try await store.session(Make.digest(1)) != nil)
        #expect(try await store.nextMailDue() == nil)
    }

    /// They are counted under a digest of the account, which no search for its id finds.
    @Test(arguments: Engine.allCases)
    func `wrong second factors are forgotten with the account`(engine: Engine) async throws {
        let store = try await engine.open()
        func fails() async throws -> Bool {
            try await store.secondStepFailed(
                failuresKey: Make.key(4), event: Make.event(.secondStepFailed, account: "account-a"),
                notice: Make.mail(), claims: [])
        }
        _ = try await store.addAccount(Make.account("account-a", token: 1))
        for _ in 1...4 { #expect(try await !fails()) }
        #expect(try await store.erase(erasure(of: "account-a")))
        _ = try await store.addAccount(Make.account("account-a", token: 1))
        for _ in 1...4 { #expect(try await !fails()) }
        #expect(try await fails())
    }

    @Test func `no row of any table names the account or its address once open flows are over`() async throws {
        let path = try Engine.temporaryFolder() + "/vestibule.sqlite"
        let store = try SQLiteStore(path: path)
        _ = try store.migrate()
        try await fill(store)
        #expect(try Self.traces(path) > 5)
        _ = try await store.erase(erasure(of: "account-a"))
        #expect(try Self.traces(path, besides: ["pending_signups", "pending_resets"]) == 0)
        _ = try await store.purge(PurgeBounds(now: Make.start + 86_400, keepEventsSince: Make.start))
        #expect(try Self.traces(path) == 0)
    }

    /// How many values of the whole file hold the account's id or address.
    private static func traces(_ path: String, besides flows: Set<String> = []) throws -> Int {
        try DatabaseQueue(path: path).read { database in
            let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            return try tables.filter { !flows.contains($0) }.flatMap {
                try Row.fetchAll(database, sql: "SELECT * FROM \"\($0)\"")
            }
            .flatMap(\.databaseValues)
            .count { value in
                let text = String.fromDatabaseValue(value) ?? ""
                return text.contains("account-a") || text.contains("ada@")
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `mails to an address the account only wanted, or that is another's by now, still go out`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("account-a", token: 1))
        _ = try await store.addAccount(Make.account("account-b", email: "bob@example.com", token: 2))
        try await store.addPendingReset(
            PendingReset(
                code: Make.pendingCode(flow: 3, email: "bob@example.com", code: 1, codeLives: 0, lives: 0),
                locale: "en"),
            replaces: nil,
            mail: QueuedMail(id: "bobs", sealed: [9], createdAt: Make.start, attempts: 0, recipient: Make.key(7))
        )
        try await store.addPendingEmailChange(
            PendingEmailChange(
                code: Make.pendingCode(flow: 5, email: "bob@example.com", code: 2, codeLives: 0, lives: 0),
                accountID: "account-a"), by: Make.presented(account: "account-a"),
            mail: QueuedMail(id: "asked", sealed: [9], createdAt: Make.start, attempts: 0, recipient: Make.key(7)),
            event: Make.event(.emailChangeRequested, account: "account-a")
        )
        #expect(try await store.erase(erasure(of: "account-a")))
        let mails = try await store.takeDueMails(limit: 99, now: Make.start, leaseUntil: Make.start + 60).map(\.id)
        #expect(mails.contains("bobs") && !mails.contains("asked"))
    }

    @Test(arguments: Engine.allCases)
    func `an address that the account has left and another one has by now gets no farewell`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("account-a", email: "bob@example.com", token: 1))
        try await moveToAda(store)
        #expect(try await store.addresses(accountID: "account-a") == ["ada@example.com", "bob@example.com"])
        _ = try await store.addAccount(Make.account("account-b", email: "bob@example.com", token: 2))
        #expect(try await store.addresses(accountID: "account-a") == ["ada@example.com"])
        try await store.addPendingReset(
            PendingReset(code: Make.pendingCode(flow: 3, email: "bob@example.com", code: 1), locale: "en"),
            replaces: nil,
            mail: QueuedMail(id: "bobs", sealed: [9], createdAt: Make.start, attempts: 0, recipient: Make.key(7)))
        #expect(try await store.erase(erasure(of: "account-a")))
        let mails = try await store.takeDueMails(limit: 99, now: Make.start, leaseUntil: Make.start + 60).map(\.id)
        #expect(mails.contains("bobs") && mails.contains("farewell") && !mails.contains("farewell to bob"))
    }

    /// The account changes its address, which it may take back.
    private func moveToAda(_ store: any Store) async throws {
        try await store.addPendingEmailChange(
            PendingEmailChange(code: Make.pendingCode(flow: 5, code: 2), accountID: "account-a"),
            by: Make.presented(account: "account-a"), mail: Make.mail(),
            event: Make.event(.emailChangeRequested, account: "account-a"))
        let completion = EmailChangeCompletion(
            renewal: SessionRenewal(
                sessionID: "session-1", replaces: Make.digest(1), tokenDigest: Make.digest(77),
                proof: Session.Proof(at: Make.start)),
            undo: EmailUndoLink(
                token: Make.digest(50), accountID: "account-a", email: "bob@example.com", createdAt: Make.start,
                expiresAt: Make.start + 7 * 86_400),
            notice: Make.mail(), noticeOfReturn: Make.mail(),
            event: Make.event(.emailChanged, account: "account-a"),
            failuresKey: Make.key(1))
        let outcome = try await store.completeEmailChange(
            flow: Make.digest(5), attempt: Make.attempt(2), completion: completion, now: Make.start)
        #expect(outcome == .done)
    }
}
