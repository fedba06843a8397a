import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

/// What triggers write of what happens, and in which order it is taken.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct SignalStoreTests {
    private static let portal = "webhook:portal"
    private static let soon = Make.start + 60

    /// A store in which the portal is told of everything, and another target of deletions.
    private func store(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        let all = Signal.events.map { SignalSubscription(event: $0, target: Self.portal) }
        try await store.setSubscriptions(
            Set(all + [SignalSubscription(event: "account.deleted", target: "webhook:billing")]))
        return store
    }

    private func take(_ store: any Store, by node: String = "1", now: Date = Make.start) async throws -> Signal? {
        try await store.takeDueSignal(
            for: Self.portal, now: now, lease: MailLease(node: node, until: now + 60))
    }

    /// Everything that the portal is told, in its order.
    private func told(_ store: any Store) async throws -> [Signal] {
        var told: [Signal] = []
        while let signal = try await take(store) {
            told.append(signal)
            try await store.signalSent(id: signal.id)
        }
        return told
    }

    private func addTwo(_ store: any Store) async throws {
        _ = try await store.addAccount(Make.account("a"))
        _ = try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2))
    }

    private func addPasskey(_ number: UInt8, counts: Bool, _ store: any Store) async throws {
        _ = try await store.addPasskey(
            Make.passkey("p\(number)", credential: number, counts: counts),
            userHandle: [UInt8](repeating: 1, count: 64), once: [Make.once(number)], Make.change())
    }

    private func enter(_ groups: [String], _ store: any Store) async throws {
        let names = Set(groups.compactMap { GroupName($0) })
        _ = try await store.changeGroups(
            GroupChange(accountID: "a", adding: names), event: Make.event(.groupsChanged, account: "a"))
    }

    private func erase(_ store: any Store) async throws {
        let erasure = AccountErasure(
            accountID: "a", session: nil, emailKey: "ada@example.com", failuresKey: Make.key(1),
            mailboxes: ["ada@example.com": .init(recipients: [], farewell: Make.mail())],
            event: Make.event(.accountDeleted, account: nil)
        )
        #expect(try await store.erase(erasure))
    }

    @Test(arguments: Engine.allCases)
    func `a new account and its sessions are told of in the order in which they came`(engine: Engine) async throws {
        let store = try await store(engine)
        _ = try await store.addAccount(Make.account("a"))
        _ = try await store.endSession(
            id: "session-1", accountID: "a", by: nil, event: Make.event(.logout, account: "a"))
        let told = try await told(store)
        #expect(told.map(\.event) == ["account.created", "session.started", "session.ended"])
        #expect(told.map(\.sessionID) == [nil, "session-1", "session-1"])
        #expect(told.allSatisfy { $0.accountID == "a" && $0.target == Self.portal && $0.attempts == 0 })
        #expect(abs(try #require(told.first).createdAt.timeIntervalSinceNow) < 60)
        #expect(Set(told.map(\.id)).count == 3)
    }

    @Test(arguments: Engine.allCases)
    func `who is told of nothing has no rows, and what is rolled back is not told`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a"))
        #expect(try await store.signals(limit: 9).isEmpty)
        try await store.setSubscriptions([SignalSubscription(event: "account.changed", target: Self.portal)])
        let stolen = PresentedSession(id: "session-1", accountID: "a", token: Make.digest(9))
        await #expect(throws: Superseded.self) {
            try await store.rename(to: "Eve", by: stolen, event: Make.event(.profileChanged, account: "a"))
        }
        #expect(try await store.signals(limit: 9).isEmpty)
        try await store.rename(to: "Eve", by: Make.presented(), event: Make.event(.profileChanged, account: "a"))
        #expect(try await told(store).map(\.event) == ["account.changed"])
    }

    @Test(arguments: Engine.allCases)
    func `a session is told to have ended whatever ended it`(engine: Engine) async throws {
        let store = try await store(engine)
        try await addTwo(store)
        try await store.loginSucceeded(
            StoredLogin(session: Make.session(3, account: "b", replaces: Make.digest(1)), failuresKey: nil))
        try await store.loginSucceeded(StoredLogin(session: Make.session(4, account: "a"), failuresKey: nil))
        #expect(try await store.disableAccount(id: "b", event: Make.event(.accountDisabled, account: "b")))
        let later = Make.start + 2 * 86_400
        try await store.purge(PurgeBounds(now: later, keepEventsSince: Make.start))
        let ended = try await told(store).filter { $0.event == "session.ended" }
        #expect(ended.map(\.sessionID) == ["session-1", "session-2", "session-3", "session-4"])
    }

    @Test(arguments: Engine.allCases)
    func `that an account is deleted is told last, and not what goes with it`(engine: Engine) async throws {
        let store = try await store(engine)
        try await addTwo(store)
        try await addPasskey(1, counts: true, store)
        try await enter(["admins"], store)
        _ = try await told(store)
        try await erase(store)
        #expect(try await told(store).map(\.event) == ["session.ended", "account.deleted"])
        #expect(try await store.signals(limit: 9).map(\.signal.target) == ["webhook:billing"])
    }

    @Test(arguments: Engine.allCases)
    func `an account is disabled and enabled once`(engine: Engine) async throws {
        let store = try await store(engine)
        _ = try await store.addAccount(Make.account("a"))
        _ = try await told(store)
        for _ in 0..<2 {
            _ = try await store.disableAccount(id: "a", event: Make.event(.accountDisabled, account: "a"))
        }
        for _ in 0..<2 { _ = try await store.enableAccount(id: "a", event: Make.event(.accountEnabled, account: "a")) }
        #expect(try await told(store).map(\.event) == ["account.disabled", "session.ended", "account.enabled"])
    }

    @Test(arguments: Engine.allCases)
    func `factors and groups are told of, a passkey beside the password is not`(engine: Engine) async throws {
        let store = try await store(engine)
        _ = try await store.addAccount(Make.account("a"))
        _ = try await told(store)
        try await addPasskey(1, counts: true, store)
        try await addPasskey(2, counts: false, store)
        try await enter(["admins", "editors"], store)
        #expect(try await told(store).map(\.event) == ["factor.added", "groups.changed"])
    }

    @Test(arguments: Engine.allCases)
    func `what is being sent, or waits, holds back what comes later for its account alone`(engine: Engine)
        async throws
    {
        let store = try await store(engine)
        try await addTwo(store)
        let (first, other) = (try #require(try await take(store)), try #require(try await take(store)))
        #expect([first.accountID, other.accountID] == ["a", "b"])
        #expect(try await take(store) == nil)
        try await store.signalFailed(id: first.id, node: "1", reason: "busy", retryAt: Self.soon)
        #expect(try await take(store) == nil)
        // The lease of the other is over.
        let again = [try await take(store, by: "2", now: Self.soon), try await take(store, by: "2", now: Self.soon)]
        #expect(Set(again.compactMap(\.?.id)) == [first.id, other.id])
        #expect(again.compactMap(\.?.attempts) == [1, 1])
        // Of a node whose lease was over.
        try await store.signalFailed(id: first.id, node: "1", reason: "late", retryAt: nil)
        #expect(try await take(store, by: "3", now: Self.soon) == nil)
        try await store.signalSent(id: first.id)
        #expect(try await take(store, by: "3", now: Self.soon)?.event == "session.started")
    }

    @Test(arguments: Engine.allCases)
    func `what was given up holds nothing back, and is due again when the operator says so`(engine: Engine)
        async throws
    {
        let store = try await store(engine)
        _ = try await store.addAccount(Make.account("a"))
        let first = try #require(try await take(store))
        try await store.signalFailed(id: first.id, node: "1", reason: "answered 410", retryAt: nil)
        let next = try #require(try await take(store))
        #expect(next.event == "session.started")
        let entries = try await store.signals(limit: 9)
        #expect(entries.count == 2 && entries.contains { $0.state == .sending(until: Self.soon) })
        #expect(entries.first { $0.state == .failed }?.reason == "answered 410")
        #expect(try await store.signalBacklogs().map { [$0.waiting, $0.givenUp] } == [[1, 1]])
        // One that is being sent is left alone.
        #expect(try await store.retrySignals(ids: [next.id, first.id], now: Make.start) == 1)
        #expect(try await take(store)?.id == first.id)
        #expect(try await store.retrySignals(ids: nil, now: Make.start) == 0)
    }

    @Test(arguments: Engine.allCases)
    func `what waits behind one that was refused is due with it, and no take walks over it again`(engine: Engine)
        async throws
    {
        let store = try await store(engine)
        try await addTwo(store)
        let first = try #require(try await take(store))
        try await store.signalFailed(id: first.id, node: "1", reason: "busy", retryAt: Self.soon)
        // Happens while that one waits.
        _ = try await store.disableAccount(id: "a", event: Make.event(.accountDisabled, account: "a"))
        #expect(try await told(store).map(\.accountID) == ["b", "b"])
        let entries = try await store.signals(limit: 9)
        #expect(entries.count == 4 && entries.allSatisfy { $0.state == .waiting(nextTry: Self.soon) })
        // Due at once, they all are.
        #expect(try await store.retrySignals(ids: [first.id], now: Make.start) == 1)
        let events = ["account.created", "session.started", "account.disabled", "session.ended"]
        #expect(try await told(store).map(\.event) == events)
    }

    @Test(arguments: Engine.allCases)
    func `what waits behind one that is being sent is due as soon as that was sent`(engine: Engine) async throws {
        let store = try await store(engine)
        try await addTwo(store)
        let first = try #require(try await take(store))
        #expect(try await take(store)?.accountID == "b")
        try await store.signalSent(id: first.id)
        #expect(try await take(store)?.event == "session.started")
    }

    @Test(arguments: Engine.allCases)
    func `of a deleted account nothing is told after its end`(engine: Engine) async throws {
        let store = try await store(engine)
        _ = try await store.addAccount(Make.account("a"))
        for _ in 1...2 {
            let signal = try #require(try await take(store))
            try await store.signalFailed(id: signal.id, node: "1", reason: "answered 410", retryAt: nil)
        }
        try await erase(store)
        // Its end waits: those of before may still come first.
        #expect(try await store.retrySignals(ids: nil, now: Make.start) == 2)
        for _ in 1...2 {
            let signal = try #require(try await take(store))
            try await store.signalFailed(id: signal.id, node: "1", reason: "answered 410", retryAt: nil)
        }
        #expect(try await told(store).map(\.event) == ["session.ended", "account.deleted"])
        #expect(try await store.retrySignals(ids: nil, now: Make.start) == 0)
        #expect(try await told(store).isEmpty)
        #expect(try await store.signals(limit: 9).map(\.signal.target) == ["webhook:billing"])
    }

    @Test(arguments: Engine.allCases)
    func `a program that is not told of deletions is told of an ended session all the same`(engine: Engine)
        async throws
    {
        let store = try await engine.open()
        try await store.setSubscriptions([SignalSubscription(event: "session.ended", target: Self.portal)])
        _ = try await store.addAccount(Make.account("a"))
        try await erase(store)
        let signal = try #require(try await take(store))
        try await store.signalFailed(id: signal.id, node: "1", reason: "answered 410", retryAt: nil)
        #expect(try await store.retrySignals(ids: nil, now: Make.start) == 1)
        #expect(try await told(store).map(\.event) == ["session.ended"])
    }

    @Test(arguments: Engine.allCases)
    func `of many workers one gets a signal`(engine: Engine) async throws {
        let store = try await store(engine)
        try await addTwo(store)
        let taken = try await withThrowingTaskGroup(of: String?.self) { group in
            for node in 0..<10 { group.addTask { try await take(store, by: "\(node)")?.id } }
            return try await group.reduce(into: [String]()) { taken, id in taken += [id].compactMap { $0 } }
        }
        #expect(taken.count == 2 && Set(taken).count == 2)
    }

    @Test(arguments: Engine.allCases)
    func `what a dead node had taken is due when the next one starts, which keeps its own`(engine: Engine)
        async throws
    {
        let store = try await store(engine)
        try await addTwo(store)
        let (dead, own) = (try await take(store, by: "dead"), try await take(store, by: "node"))
        try await store.releaseMails(startedBy: Make.node(), now: Make.start)
        #expect(try await take(store)?.id == dead?.id)
        #expect(try await take(store) == nil)
        #expect(own != nil)
    }
}

extension Optional where Wrapped == Signal {
    fileprivate var id: String? { self?.id }
    fileprivate var attempts: Int? { self?.attempts }
}
