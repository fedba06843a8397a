import Foundation
import GRDB
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct SessionStoreTests {
    private func login(_ token: UInt8, replaces: TokenDigest? = nil, rehash: PasswordHash? = nil) -> StoredLogin {
        StoredLogin(
            session: Make.session(token, account: "a", replaces: replaces), failuresKey: Make.key(1), returned: [],
            proved: nil, rehash: rehash, events: [Make.event(.login, account: "a")]
        )
    }

    @Test(arguments: Engine.allCases)
    func `signing in again goes on with the session, under a new token, and keeps the new hash`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await store.loginSucceeded(login(2, replaces: Make.digest(1), rehash: PasswordHash(phc: "new")))
        #expect(try await store.session(Make.digest(1)) == nil)
        let session = try await store.session(Make.digest(2))?.session
        let new = Make.session(2, account: "a").session
        #expect(session?.id == "session-1" && session?.lifetime == new.lifetime && session?.proof == new.proof)
        let record = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Make.key(1))
        #expect(record.passwordHash?.phc == "new" && record.account?.displayName == "Ada")
        // From another tab at the same time: neither is signed out.
        try await store.loginSucceeded(login(3, replaces: Make.digest(1)))
        #expect(try await store.session(Make.digest(3))?.session.id == "session-3")
        #expect(try await store.session(Make.digest(2)) != nil)
    }

    @Test(arguments: Engine.allCases)
    func `a login ends the browser's session of another account, and an expired one does not go on`(engine: Engine)
        async throws
    {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        #expect(try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2)))
        try await store.loginSucceeded(login(3, replaces: Make.digest(2)))
        #expect(try await store.session(Make.digest(2)) == nil)
        #expect(try await store.session(Make.digest(3))?.session.id == "session-3")
        for (token, wait) in [(UInt8(4), 3600), (6, 86_400), (8, -86_400)] {
            try await store.loginSucceeded(login(token))
            let later = Make.session(
                token + 1, account: "a", at: Make.start + TimeInterval(wait), replaces: Make.digest(token))
            try await store.loginSucceeded(StoredLogin(session: later, failuresKey: nil))
            #expect(try await store.session(Make.digest(token)) == nil)
            #expect(try await store.session(Make.digest(token + 1))?.session.id == later.session.id)
        }
    }

    @Test(arguments: ["proved_by", "second_factor"])
    func `a stored proof that is unknown here is a fault, and no other proof`(column: String) async throws {
        let (store, other) = try Engine.fileWithAnotherProcess(waiting: 1)
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await other.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA ignore_check_constraints = ON; UPDATE sessions SET \(column) = 'smell'")
        }
        await #expect(throws: UnknownStoredValue.self) { try await store.session(Make.digest(1)) }
    }

    @Test(arguments: Engine.allCases)
    func `ending is final, and ending what is not there does nothing`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        let event = Make.event(.logout, account: "a")
        #expect(try await store.endSession(id: "session-1", accountID: "a", by: nil, event: event))
        #expect(try await !store.endSession(id: "session-1", accountID: "a", by: nil, event: event))
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.events(accountID: "a", limit: 9).count { $0.kind == .logout } == 1)
    }

    @Test(arguments: Engine.allCases)
    func `being seen moves forward only`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await store.touchSession(id: "session-1", at: Make.start + 100)
        try await store.touchSession(id: "session-1", at: Make.start + 50)
        #expect(try await store.session(Make.digest(1))?.session.lifetime.lastSeenAt == Make.start + 100)
    }

    @Test(arguments: Engine.allCases)
    func `failures in a row are counted for any address and cleared by a login`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        for _ in 0..<3 {
            try await store.loginFailed(failuresKey: Make.key(1), event: Make.event(.loginFailed, account: "a"))
        }
        try await store.loginFailed(failuresKey: Make.key(2), event: Make.event(.loginFailed, account: nil))
        #expect(try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Make.key(1)).failuresInARow == 3)
        let nobody = try await store.loginRecord(emailKey: "nobody@example.com", failuresKey: Make.key(2))
        #expect(nobody.account == nil && nobody.passwordHash == nil && nobody.failuresInARow == 1)
        try await store.loginSucceeded(login(2))
        #expect(try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Make.key(1)).failuresInARow == 0)
    }

    @Test(arguments: Engine.allCases)
    func `accepting terms raises the account's version and lets the session go on`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await store.loginSucceeded(
            StoredLogin(
                session: Make.session(2, account: "a", awaitsTerms: true), failuresKey: Make.key(1), returned: [],
                proved: nil,
                rehash: nil,
                events: []
            )
        )
        // A form that is sent twice leaves one consent.
        for _ in 0..<2 {
            try await store.accept(
                Make.consent(version: "2"), by: Make.presented(2),
                event: Make.event(.termsAccepted, account: "a"))
        }
        let record = try await store.session(Make.digest(2))
        #expect(record?.session.awaitsTerms == false && record?.account.termsVersion == "2")
        #expect(try await store.accountOverview(accountID: "a", events: 50, now: Make.start).consents.count == 2)
    }

    @Test(arguments: Engine.allCases)
    func `what has expired is purged, the rest stays`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await store.loginSucceeded(login(2))
        try await store.touchSession(id: "session-2", at: Make.start + 3000)
        try await store.addPendingSignup(Make.pending(flow: 1, email: "bob@example.com"), mails: Make.mails())
        try await store.purge(PurgeBounds(now: Make.start + 3600, keepEventsSince: Make.start))
        #expect(try await store.session(Make.digest(1)) == nil)
        #expect(try await store.session(Make.digest(2)) != nil)
        #expect(try await store.pendingSignup(flow: Make.digest(1), now: Make.start) == nil)
        #expect(try await store.events(accountID: "a", limit: 9).isEmpty)
    }
    @Test(arguments: ["", "not an address"])
    func `a stored address that is no IP address is read as unknown`(text: String) async throws {
        let (store, other) = try Engine.fileWithAnotherProcess(waiting: 60)
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await other.write { database in
            for table in ["sessions", "security_events", "consents"] {
                try database.execute(sql: "UPDATE \(table) SET address = ?", arguments: [text])
            }
        }
        #expect(try #require(try await store.session(Make.digest(1))).session.address == nil)
        let overview = try await store.accountOverview(accountID: "a", events: 9, now: Make.start)
        #expect(overview.sessions.map(\.address) == [nil] && overview.consents.map(\.address) == [nil])
        #expect(overview.events.map(\.address) == [nil])
    }
}
