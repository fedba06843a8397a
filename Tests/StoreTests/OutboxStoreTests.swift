import Foundation
import StoreSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct OutboxStoreTests {
    private func storeWithMail(_ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        try await store.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        return store
    }

    @Test(arguments: Engine.allCases)
    func `a mail is taken by one worker at a time, and again when its lease is over`(engine: Engine) async throws {
        let store = try await storeWithMail(engine)
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await store.takeDueMails(limit: 5, now: Make.start, leaseUntil: Make.start + 60).count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(taken == 1)
        let again = try await store.takeDueMails(limit: 5, now: Make.start + 60, leaseUntil: Make.start + 120)
        #expect(again.map(\.attempts) == [1])
    }

    @Test(arguments: Engine.allCases)
    func `what a dead worker had taken is due at once when the next one starts`(engine: Engine) async throws {
        let store = try await storeWithMail(engine)
        _ = try await store.takeDueMails(limit: 5, now: Make.start, leaseUntil: Make.start + 60)
        try await store.releaseMails(startedBy: Make.node(), now: Make.start)
        let again = try await store.takeDueMails(limit: 5, now: Make.start, leaseUntil: Make.start + 60)
        #expect(again.count == 1)
    }

    /// A store over the file at `path`, as another server has it.
    private func node(_ path: String) async throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        _ = try store.migrate()
        try await store.releaseMails(startedBy: Make.node(), now: Make.start)
        return store
    }

    @Test func `a second node frees no mail of the first, and the next one alone frees all`() async throws {
        let path = try Engine.temporaryFolder() + "/vestibule.sqlite"
        let first = try await node(path)
        try await first.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        let lease = Make.start + 60
        #expect(try await first.takeDueMails(limit: 5, by: "1", now: Make.start, leaseUntil: lease).count == 1)
        let second = try await node(path)
        #expect(try await second.takeDueMails(limit: 5, by: "2", now: lease - 1, leaseUntil: lease + 60).isEmpty)
        // The first is gone without a word, the second runs on.
        try first.close()
        let third = try await node(path)
        #expect(try await third.takeDueMails(limit: 5, by: "3", now: lease - 1, leaseUntil: lease + 60).isEmpty)
        try second.close()
        try third.close()
        let fourth = try await node(path)
        #expect(try await fourth.takeDueMails(limit: 5, by: "4", now: lease - 1, leaseUntil: lease + 60).count == 1)
    }

    @Test(arguments: Engine.allCases)
    func `a node that comes back after its lease changes nothing of the next one's`(engine: Engine) async throws {
        let store = try await storeWithMail(engine)
        let lease = Make.start + 60
        let mail = try #require(
            try await store.takeDueMails(limit: 1, by: "1", now: Make.start, leaseUntil: lease).first)
        #expect(try await store.takeDueMails(limit: 1, by: "2", now: lease, leaseUntil: lease + 60).count == 1)
        try await store.mailFailed(id: mail.id, node: "1", reason: "busy", retryAt: lease + 5)
        #expect(try await store.outboxEntry(id: mail.id)?.state == .sending(until: lease + 60))
        try await store.mailFailed(id: mail.id, node: "2", reason: "busy", retryAt: lease + 9)
        #expect(try await store.outboxEntry(id: mail.id)?.state == .waiting(nextTry: lease + 9))
    }

    @Test(arguments: Engine.allCases)
    func `a mail that a node leaves to others counts no try, unless another one has taken it`(engine: Engine)
        async throws
    {
        let store = try await storeWithMail(engine)
        let lease = Make.start + 60
        let mail = try #require(
            try await store.takeDueMails(limit: 1, by: "1", now: Make.start, leaseUntil: lease).first)
        try await store.mailPutBack(id: mail.id, node: "2", reason: "another key", retryAt: lease + 5)
        #expect(try await store.outboxEntry(id: mail.id)?.state == .sending(until: lease))
        try await store.mailPutBack(id: mail.id, node: "1", reason: "another key", retryAt: Make.start + 5)
        #expect(try await store.outboxEntry(id: mail.id)?.state == .waiting(nextTry: Make.start + 5))
        let next = try await store.takeDueMails(limit: 1, by: "2", now: Make.start + 5, leaseUntil: lease)
        #expect(next.map(\.attempts) == [0])
    }

    @Test(arguments: Engine.allCases)
    func `a sent mail is gone`(engine: Engine) async throws {
        let store = try await storeWithMail(engine)
        let mail = try #require(
            try await store.takeDueMails(limit: 1, now: Make.start, leaseUntil: Make.start + 60).first
        )
        try await store.mailSent(id: mail.id)
        #expect(try await store.nextMailDue() == nil)
    }

    @Test(arguments: Engine.allCases)
    func `a failed mail waits for its time, or for the operator`(engine: Engine) async throws {
        let store = try await storeWithMail(engine)
        let mail = try #require(
            try await store.takeDueMails(limit: 1, now: Make.start, leaseUntil: Make.start + 60).first
        )
        try await store.mailFailed(id: mail.id, reason: "busy", retryAt: Make.start + 5)
        #expect(try await store.untriedMailDue() == nil)
        #expect(try await store.nextMailDue() == Make.start + 5)
        #expect(try await store.takeDueMails(limit: 1, now: Make.start + 4, leaseUntil: Make.start + 60).isEmpty)
        #expect(try await store.takeDueMails(limit: 1, now: Make.start + 5, leaseUntil: Make.start + 60).count == 1)
        try await store.mailFailed(id: mail.id, reason: "unknown mailbox", retryAt: nil)
        #expect(try await store.nextMailDue() == nil)
    }

    /// Queues mails by their ids: a code when it is urgent, to a domain.
    private func storeWith(_ mails: [QueuedMail], _ engine: Engine) async throws -> any Store {
        let store = try await engine.open()
        try await queue(mails, in: store)
        return store
    }

    private func queue(_ mails: [QueuedMail], in store: any Store, firstFlow: UInt8 = 0) async throws {
        for (number, mail) in mails.enumerated() {
            try await store.addPendingSignup(
                Make.pending(flow: firstFlow + UInt8(number)),
                mails: AddressMails(whenFree: mail, whenTaken: mail, whenDisabled: mail))
        }
    }

    private func mail(
        _ id: String, to recipient: UInt8 = 1, at domain: UInt8 = 1, isUrgent: Bool = false, late: TimeInterval = 0
    ) -> QueuedMail {
        QueuedMail(
            id: id, sealed: [1], createdAt: Make.start + late, attempts: 0, recipient: Make.key(recipient),
            domain: Make.key(domain),
            isUrgent: isUrgent)
    }

    private func taken(
        _ store: any Store, _ choice: MailChoice = .any, at now: Date = Make.start + 9
    ) async throws -> String? {
        try await store.takeDueMails(limit: 1, among: choice, now: now, leaseUntil: now + 60).first?.id
    }

    @Test(arguments: Engine.allCases)
    func `codes go before the rest, first tries before others, older ones before newer`(engine: Engine) async throws {
        let early = [mail("tried code", isUrgent: true, late: 1), mail("tried notice")]
        let store = try await storeWith(early, engine)
        for mail in early {
            #expect(try await taken(store, at: Make.start + 1) == mail.id)
            try await store.mailFailed(id: mail.id, reason: "busy", retryAt: Make.start + 5)
        }
        let late = [mail("second", isUrgent: true, late: 2), mail("first", isUrgent: true, late: 1), mail("notice")]
        try await queue(late, in: store, firstFlow: 9)
        var order: [String] = []
        while let id = try await taken(store) { order.append(id) }
        #expect(order == ["first", "second", "tried code", "notice", "tried notice"])
    }

    @Test(arguments: Engine.allCases)
    func `a mail that a killed server was sending keeps its place, three times`(engine: Engine) async throws {
        let store = try await storeWith([mail("notice"), mail("code", isUrgent: true, late: 1)], engine)
        for _ in 1...4 {
            #expect(try await taken(store) == "code")
            try await store.releaseMails(startedBy: Make.node(), now: Make.start)
        }
        #expect(try await taken(store) == "notice")
    }

    @Test(arguments: Engine.allCases)
    func `domains and recipients that are not to be chosen wait`(engine: Engine) async throws {
        let mails = [mail("a", to: 1, at: 1), mail("b", to: 2, at: 1), mail("c", to: 3, at: 2)]
        let store = try await storeWith(mails, engine)
        #expect(try await taken(store, MailChoice(domains: .except([Make.key(1), Make.key(2)]), notTo: [])) == nil)
        #expect(try await taken(store, MailChoice(domains: .only([Make.key(2)]), notTo: [Make.key(3)])) == nil)
        #expect(try await taken(store, MailChoice(domains: .only([]), notTo: [])) == nil)
        #expect(try await taken(store, MailChoice(domains: .except([Make.key(2)]), notTo: [Make.key(1)])) == "b")
        #expect(try await taken(store, MailChoice(domains: .only([Make.key(2)]), notTo: [Make.key(1)])) == "c")
    }

    @Test(arguments: Engine.allCases)
    func `a mail that is due later than any wait was queued by a clock since set back, and is due`(engine: Engine)
        async throws
    {
        let store = try await storeWith([mail("a")], engine)
        let before = Make.start - 86_400
        #expect(try await taken(store, at: before) == "a")
        try await store.mailFailed(id: "a", reason: "busy", retryAt: before + 3600)
        #expect(try await taken(store, at: before) == nil)
        #expect(try await taken(store, at: before - 1) == "a")
    }
}
