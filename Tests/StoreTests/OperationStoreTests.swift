import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct OperationStoreTests {
    @Test(arguments: Engine.allCases)
    func `living sessions are listed, and all are ended at once`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        #expect(try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2)))
        for (token, idle) in [(UInt8(3), 3600), (4, 1)] {
            try await store.loginSucceeded(
                StoredLogin(
                    session: Make.session(token, account: "a", at: Make.start + 10, idle: .seconds(idle)),
                    failuresKey: [1], returned: [], proved: nil, rehash: nil, events: []
                )
            )
        }
        let living = try await store.sessions(accountID: "a", now: Make.start + 20)
        #expect(living.map(\.id) == ["session-3", "session-1"])
        let event = Make.event(.sessionRevoked, account: "a")
        #expect(try await store.endSessions(accountID: "a", event: event) == 3)
        #expect(try await store.endSessions(accountID: "a", event: Make.event(.sessionRevoked, account: "a")) == 0)
        #expect(try await store.session(Make.digest(2)) != nil)
        #expect(try await store.events(accountID: "a", limit: 9).count { $0.kind == .sessionRevoked } == 1)
    }

    /// Five mails, written a second apart by sign-ups: two of them have failed, one is being sent.
    private func storeWithMails(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        for number in 0..<5 {
            let mail = Make.mail("mail-\(number)", at: Make.start + Double(number))
            try await store.addPendingSignup(
                Make.pending(flow: UInt8(number), email: "m\(number)@example.com"),
                mails: AddressMails(whenFree: mail, whenTaken: mail, whenDisabled: mail)
            )
        }
        _ = try await store.takeDueMails(limit: 3, now: Make.start + 9, leaseUntil: Make.start + 69)
        for number in 0..<2 { try await store.mailFailed(id: "mail-\(number)", reason: "busy", retryAt: nil) }
        return store
    }

    @Test(arguments: Engine.allCases)
    func `mails are listed newest first, page by page, and failed ones alone`(engine: Engine) async throws {
        let store = try await storeWithMails(engine)
        let first = try await store.outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 3)
        #expect(first.map(\.mail.id) == ["mail-4", "mail-3", "mail-2"])
        #expect(first[0].state == .waiting(nextTry: Make.start + 4) && first[0].reason == nil)
        #expect(first[2].state == .sending(until: Make.start + 69) && first[2].mail.attempts == 1)
        let second = try await store.outboxEntries(to: nil, after: first.last?.position, onlyFailed: false, limit: 3)
        #expect(second.map(\.mail.id) == ["mail-1", "mail-0"])
        #expect(second.allSatisfy { $0.state == .failed && $0.reason == "busy" })
        #expect(try await store.outboxEntries(to: nil, after: nil, onlyFailed: true, limit: 9) == second)
    }

    @Test(arguments: Engine.allCases)
    func `the row of a mail that nobody gets is not a mail`(engine: Engine) async throws {
        let store = try await engine.open()
        let pending = PendingReset(
            code: Make.pendingCode(flow: 1, email: "x@example.com", codeLives: 0, lives: 0), locale: "en")
        try await store.addPendingReset(pending, replaces: nil, mail: Make.mail("nobody's"))
        #expect(try await store.outboxEntries(to: nil, after: nil, onlyFailed: false, limit: 9).isEmpty)
        #expect(try await store.outboxEntry(id: "nobody's") == nil)
    }

    @Test(arguments: Engine.allCases)
    func `a mail is due again as if never tried, unless it is being sent`(engine: Engine) async throws {
        let store = try await storeWithMails(engine)
        let ids = ["mail-0", "mail-2", "mail-4", "no such"]
        #expect(try await store.retryMails(ids: ids, now: Make.start + 50) == 2)
        let again = try #require(try await store.outboxEntry(id: "mail-0"))
        #expect(again.state == .waiting(nextTry: Make.start + 50) && again.mail.attempts == 0 && again.reason == nil)
        #expect(try await store.outboxEntry(id: "mail-2")?.state == .sending(until: Make.start + 69))
        // Its lease is over: nobody sends it any more.
        #expect(try await store.retryMails(ids: ["mail-2"], now: Make.start + 69) == 1)
    }

    @Test(arguments: Engine.allCases)
    func `events are found newest first or since a time, of all or of one`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        for (number, account) in [(1, "a"), (2, nil), (3, "a")] as [(Double, AccountID?)] {
            try await store.loginFailed(
                failuresKey: Make.key(1), event: Make.event(.loginFailed, account: account, at: Make.start + number))
        }
        let all = try await store.latestEvents(accountID: nil, kind: nil, limit: 3)
        #expect(all.map(\.event.at) == [Make.start + 3, Make.start + 2, Make.start + 1])
        #expect(all.map(\.email) == ["ada@example.com", nil, "ada@example.com"])
        let one = try await store.latestEvents(accountID: "a", kind: nil, limit: 2)
        #expect(one.map(\.event.at) == [Make.start + 3, Make.start + 1])
        let failed = try await store.latestEvents(accountID: "a", kind: "login_failed", limit: 1)
        #expect(failed.map(\.event.at) == [Make.start + 3])
        #expect(try await store.latestEvents(accountID: nil, kind: "login", limit: 9).isEmpty)
        let since = try await store.events(since: Make.start + 2, accountID: nil)
        #expect(since.map(\.event.at) == [Make.start + 2, Make.start + 3])
        #expect(try await store.events(since: Make.start + 2, accountID: "a").map(\.event.at) == [Make.start + 3])
    }
}
