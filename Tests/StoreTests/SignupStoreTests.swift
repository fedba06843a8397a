import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct SignupStoreTests {
    @Test(arguments: Engine.allCases)
    func `a pending sign-up is kept whole until it ends`(engine: Engine) async throws {
        let store = try await engine.open()
        let pending = Make.pending(flow: 1)
        try await store.addPendingSignup(pending, mails: Make.mails())
        #expect(try await store.pendingSignup(flow: Make.digest(1), now: Make.start) == pending)
        #expect(try await store.pendingSignup(flow: Make.digest(2), now: Make.start) == nil)
        #expect(try await store.pendingSignup(flow: Make.digest(1), now: Make.start + 3600) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `the mail that fits is queued with it`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", email: "Ada@example.com")))
        try await store.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        try await store.addPendingSignup(Make.pending(flow: 2, email: "bob@example.com"), mails: Make.mails())
        let due = try await store.takeDueMails(limit: 9, now: Make.start, leaseUntil: Make.start + 60)
        #expect(Set(due.map { $0.id.prefix(4) }) == ["take", "free"])
    }

    @Test(arguments: Engine.allCases)
    func `a right code makes account, session, consent and events once, and ends no rival`(engine: Engine) async throws
    {
        let store = try await engine.open()
        for flow in [UInt8(1), 2] { try await store.addPendingSignup(Make.pending(flow: flow), mails: Make.mails()) }
        let outcomes = try await withThrowingTaskGroup(of: CodeOutcome.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await store.completeSignup(
                        flow: Make.digest(1), attempt: Make.attempt(8, 9), new: Make.account("a"), now: Make.start)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 != .codeWrong && $0 != .taken } == 1)
        #expect(try await store.pendingSignup(flow: Make.digest(1), now: Make.start) == nil)
        #expect(try await store.pendingSignup(flow: Make.digest(2), now: Make.start) != nil)
        #expect(try await store.session(Make.digest(1))?.account.id == "a")
        let overview = try await store.accountOverview(accountID: "a", events: 50, now: Make.start)
        #expect(overview.sessions.count == 1 && overview.consents.count == 1)
        #expect(try await store.events(accountID: "a", limit: 9).map(\.kind) == [.signup])
    }

    @Test(arguments: Engine.allCases)
    func `five wrong codes use a flow up, and a renewed code does not give them back`(engine: Engine) async throws {
        let store = try await engine.open()
        try await store.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        func attempt(_ code: UInt8) async throws -> CodeOutcome {
            try await store.completeSignup(
                flow: Make.digest(1), attempt: Make.attempt(code), new: Make.account("a"), now: Make.start)
        }
        for _ in 0..<3 { #expect(try await attempt(1) == .codeWrong) }
        let renewal = Make.renewal(flow: 1, code: 7, .either(Make.mails()))
        #expect(try await store.renewCode(renewal, of: .signup, now: Make.start))
        for code in [UInt8(9), 1] { #expect(try await attempt(code) == .codeWrong) }
        #expect(try await attempt(7) == .codeWrong)
        let again = Make.renewal(flow: 1, code: 7, .either(Make.mails()))
        #expect(try await !store.renewCode(again, of: .signup, now: Make.start))
    }

    @Test(arguments: Engine.allCases)
    func `an expired code is wrong, a right one for a taken address says so and ends the flow`(engine: Engine)
        async throws
    {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        #expect(try await !store.addAccount(Make.account("b", email: "ADA@example.com", token: 2)))
        try await store.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        func attempt(at now: Date) async throws -> CodeOutcome {
            try await store.completeSignup(
                flow: Make.digest(1), attempt: Make.attempt(9), new: Make.account("c", token: 3), now: now)
        }
        #expect(try await attempt(at: Make.start + 600) == .codeWrong)
        #expect(try await attempt(at: Make.start) == .taken)
        #expect(try await attempt(at: Make.start) == .codeWrong)
    }

    @Test(arguments: Engine.allCases)
    func `a purge forgets a wrong code after a day, not before`(engine: Engine) async throws {
        let store = try await engine.open()
        try await store.addPendingSignup(Make.pending(flow: 1), mails: Make.mails())
        let outcome = try await store.completeSignup(
            flow: Make.digest(1), attempt: Make.attempt(1), new: Make.account("a"), now: Make.start)
        #expect(outcome == .codeWrong)
        let later = Make.start + 20 * 3600
        try await store.purge(PurgeBounds(now: later, keepEventsSince: Make.start))
        #expect(try await store.wrongCodes(now: later) == 1)
        try await store.purge(PurgeBounds(now: Make.start + 27 * 3600, keepEventsSince: Make.start))
        #expect(try await store.wrongCodes(now: Make.start) == 0)
    }
}
