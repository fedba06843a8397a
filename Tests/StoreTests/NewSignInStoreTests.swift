import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.closesStores)
struct NewSignInStoreTests {
    /// Returns whether a mail was queued.
    private func signIn(_ store: any Store, _ number: UInt8, at moment: Date? = nil) async throws -> Bool {
        // A minute apart.
        let at = moment ?? Make.start + Double(number) * 60
        let event = Make.event(.loginNewDevice, account: "a", at: at)
        return try await store.loginSucceeded(
            StoredLogin(
                session: Make.session(number, account: "a", at: at), failuresKey: [1], returned: [], proved: nil,
                rehash: nil,
                events: [event],
                notice: NewSignInNotice(
                    // A moment later, as it is made after the event.
                    mail: Make.mail("mail-\(number)", at: at + 0.01), mailsAtMost: 3, at: at,
                    since: at - 86_400, summaryDueAt: at + 86_400
                )
            )
        )
    }

    /// Queues the summaries that are due; returns how many.
    private func summarize(
        _ store: any Store, now: Date, _ compose: (Account, [SecurityEvent]) -> QueuedMail
    ) async throws -> Int {
        let due = try await store.dueSignInSummaries(now: now)
        return try await store.queueSignInSummaries(
            due.map { SignInSummaryMail(summary: $0, mail: compose($0.account, $0.signIns)) })
    }

    @Test(arguments: Engine.allCases)
    func `three mails a day go out, what is more waits for one summary`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        var areQueued: [Bool] = []
        for number: UInt8 in 2...6 { areQueued.append(try await signIn(store, number)) }
        #expect(areQueued == [true, true, true, false, false])
        let mails = try await store.takeDueMails(limit: 9, now: Make.start + 900, leaseUntil: Make.start + 960)
        #expect(mails.map(\.id) == ["mail-2", "mail-3", "mail-4"])
        let early = try await summarize(store, now: Make.start + 86_699) { _, _ in Make.mail("early") }
        #expect(early == 0)
        let due = try await summarize(store, now: Make.start + 86_700) { account, events in
            Make.mail("\(account.id) \(events.map { Int($0.at.timeIntervalSince(Make.start)) })", at: Make.start)
        }
        #expect(due == 1)
        let summary = try await store.takeDueMails(limit: 9, now: Make.start + 900, leaseUntil: Make.start + 960)
        #expect(summary.map(\.id) == ["a [300, 360]"])
        #expect(try await summarize(store, now: Make.start + 900_000) { _, _ in Make.mail() } == 0)
    }

    @Test(arguments: Engine.allCases)
    func `of sign-ins at once all are told, whichever is kept first`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        for number: UInt8 in [2, 3, 4, 6] { _ = try await signIn(store, number) }
        _ = try await signIn(store, 5, at: Make.start + 350)
        let due = try await store.dueSignInSummaries(now: Make.start + 87_000)
        #expect(due.map { $0.signIns.map { Int($0.at.timeIntervalSince(Make.start)) } } == [[350, 360]])
    }

    /// An account with one summary that is due.
    private func storeWithSummary(_ engine: Engine) async throws -> (any Store, SignInSummary) {
        let store = try await engine.open()
        _ = try await store.addAccount(Make.account("a", token: 1))
        for number: UInt8 in 2...5 { _ = try await signIn(store, number) }
        return (store, try #require(try await store.dueSignInSummaries(now: Make.start + 86_700).first))
    }

    @Test(arguments: Engine.allCases)
    func `of two nodes that read a summary one queues it`(engine: Engine) async throws {
        let (store, summary) = try await storeWithSummary(engine)
        for (id, count) in [("first", 1), ("second", 0)] {
            let mail = SignInSummaryMail(summary: summary, mail: Make.mail(id, at: Make.start))
            #expect(try await store.queueSignInSummaries([mail]) == count)
        }
        #expect(try await store.outboxEntry(id: "first") != nil)
        #expect(try await store.outboxEntry(id: "second") == nil)
    }

    @Test(arguments: Engine.allCases)
    func `a sign-in after a summary was read is told in the next round`(engine: Engine) async throws {
        let (store, summary) = try await storeWithSummary(engine)
        #expect(try await !signIn(store, 6))
        let mail = SignInSummaryMail(summary: summary, mail: Make.mail("short", at: Make.start))
        #expect(try await store.queueSignInSummaries([mail]) == 0)
        #expect(try await store.outboxEntry(id: "short") == nil)
        #expect(try await store.dueSignInSummaries(now: Make.start + 86_700).first?.signIns.count == 2)
    }

    @Test(arguments: Engine.allCases)
    func `a summary for an address that was left waits for the next round`(engine: Engine) async throws {
        let (store, summary) = try await storeWithSummary(engine)
        let left = SignInSummary(
            account: Make.account("a", email: "left@example.com", token: 1).account, dueAt: summary.dueAt,
            signIns: summary.signIns)
        let mail = SignInSummaryMail(summary: left, mail: Make.mail("left", at: Make.start))
        #expect(try await store.queueSignInSummaries([mail]) == 0)
        #expect(try await store.outboxEntry(id: "left") == nil)
        #expect(try await store.dueSignInSummaries(now: Make.start + 86_700).count == 1)
    }
}
