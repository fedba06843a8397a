import Foundation
import Testing
import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct OutboxStoreTests {
    private func storeWithMail(_ engine: Engine) async throws -> any Store {
        let store = try engine.open()
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
        try await store.releaseMails()
        let again = try await store.takeDueMails(limit: 5, now: Make.start, leaseUntil: Make.start + 60)
        #expect(again.count == 1)
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
        #expect(try await store.takeDueMails(limit: 1, now: Make.start + 4, leaseUntil: Make.start + 60).isEmpty)
        #expect(try await store.takeDueMails(limit: 1, now: Make.start + 5, leaseUntil: Make.start + 60).count == 1)
        try await store.mailFailed(id: mail.id, reason: "unknown mailbox", retryAt: nil)
        #expect(try await store.nextMailDue() == nil)
    }
}
