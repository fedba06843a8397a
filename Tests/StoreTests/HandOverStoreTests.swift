import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct HandOverStoreTests {
    private let notes = "https://notes.example"

    private func origin(_ text: String) throws -> Origin { try #require(Origin(text)) }

    private func ticket(_ digest: UInt8, token: UInt8 = 1, browser: UInt8 = 50) throws -> NewTicket {
        NewTicket(
            digest: Make.digest(digest),
            session: PresentedSession(id: "session-1", accountID: "a", token: Make.digest(token)),
            wish: HandOverWish(
                origin: try origin(notes), target: try #require(RequestTarget("/page?x=1")),
                browser: Make.digest(browser), isRetry: false),
            expiresAt: Make.start + 60)
    }

    private func redemption(
        _ digest: UInt8, at origin: String = "https://notes.example", browser: UInt8? = 50, token: UInt8 = 70,
        after seconds: TimeInterval = 1
    ) throws -> TicketRedemption {
        TicketRedemption(
            digest: Make.digest(digest), origin: try self.origin(origin), browser: browser.map(Make.digest),
            token: Make.digest(token), requiresFactor: true, now: Make.start + seconds)
    }

    private func open(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await store.addTicket(ticket(9))
        return store
    }

    @Test(arguments: Engine.allCases)
    func `a ticket opens its application once`(engine: Engine) async throws {
        let store = try await open(engine)
        let redeemed = try #require(await store.redeem(redemption(9)))
        #expect(redeemed.outcome == .entered(Make.session(1, account: "a").session))
        #expect(redeemed.target == "/page?x=1" && !redeemed.isRetry)
        let found = try #require(await store.applicationSession(Make.digest(70)))
        #expect(found.origin == notes && found.record.account.id == "a" && found.record.session.id == "session-1")
        #expect(try await store.redeem(redemption(9, token: 71)) == nil)
        #expect(try await store.applicationSession(Make.digest(71)) == nil)
        #expect(try await store.session(Make.digest(70)) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `of twenty uses at once one enters`(engine: Engine) async throws {
        let store = try await open(engine)
        let entered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for token in 100..<120 {
                let redemption = try redemption(9, token: UInt8(token))
                group.addTask { try await store.redeem(redemption) != nil }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(entered == 1)
    }

    @Test(arguments: Engine.allCases)
    func `tickets that become the same cookie at once all enter`(engine: Engine) async throws {
        let store = try await open(engine)
        // One more is there already.
        let numbers = 101..<(100 + UInt8(NewTicket.mostPerSession))
        for number in numbers { try await store.addTicket(ticket(number)) }
        let entered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in numbers {
                let redemption = try redemption(number)
                group.addTask {
                    if case .entered = try await store.redeem(redemption)?.outcome { true } else { false }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(entered == numbers.count)
        #expect(try await store.applicationSession(Make.digest(70)) != nil)
    }

    @Test(arguments: Engine.allCases)
    func `elsewhere, too late or without its session a ticket is spent`(engine: Engine) async throws {
        let store = try await open(engine)
        #expect(try await store.redeem(redemption(9, at: "https://wiki.example"))?.outcome == .spent)
        #expect(try await store.redeem(redemption(9)) == nil)
        try await store.addTicket(ticket(10))
        #expect(try await store.redeem(redemption(10, after: 60))?.outcome == .spent)
        try await store.addTicket(ticket(11))
        #expect(
            try await store.endSession(
                id: "session-1", accountID: "a", by: nil, event: Make.event(.logout, account: "a")))
        #expect(try await store.redeem(redemption(11)) == nil)
        let late = try ticket(12)
        await #expect(throws: Superseded.self) { try await store.addTicket(late) }
    }

    @Test(arguments: Engine.allCases)
    func `a session that waits for its owner to accept terms or add a factor enters nothing`(
        engine: Engine
    ) async throws {
        let store = try await open(engine)
        // Without a new token of the session, which would end the ticket, too.
        try await store.setKey(Make.totp(), Make.change())
        #expect(try await store.removeKey(.totp, Make.change()))
        #expect(try await store.redeem(redemption(9))?.outcome == .spent)
        let terms = Make.session(1, account: "a", replaces: Make.digest(1), awaitsTerms: true)
        try await store.loginSucceeded(StoredLogin(session: terms, failuresKey: nil))
        try await store.addTicket(ticket(10))
        #expect(try await store.redeem(redemption(10))?.outcome == .spent)
        #expect(try await store.applicationSession(Make.digest(70)) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `another browser spends a ticket and gets nothing`(engine: Engine) async throws {
        let store = try await open(engine)
        #expect(try await store.redeem(redemption(9, browser: 51))?.outcome == .otherBrowser)
        try await store.addTicket(ticket(10))
        #expect(try await store.redeem(redemption(10, browser: nil))?.outcome == .otherBrowser)
        #expect(try await store.redeem(redemption(10)) == nil)
        #expect(try await store.applicationSession(Make.digest(70)) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `it ends with its session, and a second entry takes the place of the first`(engine: Engine) async throws {
        let store = try await open(engine)
        try await store.addTicket(ticket(10))
        _ = try await store.redeem(redemption(9, token: 70))
        #expect(try await store.applicationSession(Make.digest(70)) != nil)
        _ = try await store.redeem(redemption(10, token: 71, after: 2))
        #expect(try await store.applicationSession(Make.digest(70)) == nil)
        #expect(try await store.applicationSession(Make.digest(71)) != nil)
        let overview = try await store.accountOverview(accountID: "a", events: 0, now: Make.start)
        let entered = [EnteredApplication(name: notes, at: Make.start + 2)]
        #expect(overview.enteredApplications == ["session-1": entered])
        let held = try #require(try await store.export(accountID: "a", now: Make.start)?.overview)
        #expect(held.sessions.first.flatMap { held.enteredApplications[$0.id] } == entered)
        #expect(
            try await store.endSession(
                id: "session-1", accountID: "a", by: nil, event: Make.event(.logout, account: "a")))
        #expect(try await store.applicationSession(Make.digest(71)) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `what changes of its session or account is seen at once`(engine: Engine) async throws {
        let store = try await open(engine)
        _ = try await store.redeem(redemption(9))
        #expect(try await store.applicationSession(Make.digest(70))?.record.account.displayName == "Ada")
        try await store.touchSession(id: "session-1", at: Make.start + 100)
        #expect(
            try await store.applicationSession(Make.digest(70))?.record.session.lifetime.lastSeenAt == Make.start + 100)
        try await store.rename(to: "Augusta", by: Make.presented(), event: Make.event(.login, account: "a"))
        #expect(try await store.applicationSession(Make.digest(70))?.record.account.displayName == "Augusta")
    }

    @Test(arguments: Engine.allCases)
    func `a session has at most twenty tickets`(engine: Engine) async throws {
        let store = try await open(engine)
        for number in 10..<10 + UInt8(NewTicket.mostPerSession) { try await store.addTicket(ticket(number)) }
        var redeemed = 0
        for number in 9..<UInt8(30) where try await store.redeem(redemption(number)) != nil { redeemed += 1 }
        #expect(redeemed == NewTicket.mostPerSession)
    }

    @Test(arguments: Engine.allCases)
    func `a renewed session, or one that stays alone, enters its applications anew`(engine: Engine) async throws {
        let store = try await open(engine)
        for (step, token) in [("renewed", 1 as UInt8), ("alone", 2)] {
            try await store.addTicket(ticket(20, token: token))
            try await store.addTicket(ticket(21, token: token))
            _ = try await store.redeem(redemption(20))
            #expect(try await store.applicationSession(Make.digest(70)) != nil)
            let event = Make.event(.login, account: "a")
            let renewal = SessionRenewal(
                sessionID: "session-1", replaces: Make.digest(token), tokenDigest: Make.digest(token + 1),
                proof: Session.Proof(at: Make.start))
            if step == "renewed" {
                try await store.renewSession(renewal, event: event)
            } else {
                _ = try await store.endOtherSessions(
                    than: PresentedSession(id: "session-1", accountID: "a", token: Make.digest(token)),
                    renewal: renewal, event: event)
            }
            #expect(try await store.applicationSession(Make.digest(70)) == nil)
            #expect(try await store.redeem(redemption(21)) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `old tickets are purged`(engine: Engine) async throws {
        let store = try await open(engine)
        try await store.purge(PurgeBounds(now: Make.start + 59, keepEventsSince: Make.start))
        #expect(try await store.redeem(redemption(9)) != nil)
        try await store.addTicket(ticket(10))
        try await store.purge(PurgeBounds(now: Make.start + 60, keepEventsSince: Make.start))
        #expect(try await store.redeem(redemption(10)) == nil)
    }
}
