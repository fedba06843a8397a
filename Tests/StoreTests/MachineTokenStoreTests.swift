import Foundation
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct MachineTokenStoreTests {
    private func token(
        _ id: String, of application: String = "notes", made: TimeInterval = 0, expires: TimeInterval? = nil,
        used: TimeInterval? = nil
    ) -> MachineToken {
        MachineToken(
            id: id, application: application, label: "Label of \(id)", createdAt: Make.start + made,
            expiresAt: expires.map { Make.start + $0 }, lastUsedAt: used.map { Make.start + $0 })
    }

    private func add(_ token: MachineToken, _ digest: UInt8, _ store: any Store) async throws {
        try await store.addMachineToken(
            token, digest: Make.digest(digest), event: Make.event(.machineTokenCreated, account: nil))
    }

    @Test(arguments: Engine.allCases)
    func `a token is found by its digest and listed newest first`(engine: Engine) async throws {
        let store = try await engine.open()
        try await add(token("a"), 1, store)
        try await add(token("b", of: "wiki", made: 5, expires: 60), 2, store)
        try await add(token("c", made: 9), 3, store)
        #expect(try await store.machineToken(Make.digest(2)) == token("b", of: "wiki", made: 5, expires: 60))
        #expect(try await store.machineToken(Make.digest(4)) == nil)
        #expect(try await store.machineTokens(application: nil).map(\.id) == ["c", "b", "a"])
        #expect(try await store.machineTokens(application: "notes").map(\.id) == ["c", "a"])
        #expect(try await store.machineTokens(application: "none").isEmpty)
        let kinds = try await store.latestEvents(accountID: nil, kind: nil, limit: 9).map(\.event.kind)
        #expect(kinds == [.machineTokenCreated, .machineTokenCreated, .machineTokenCreated])
    }

    @Test(arguments: Engine.allCases)
    func `being used moves forward only`(engine: Engine) async throws {
        let store = try await engine.open()
        try await add(token("a"), 1, store)
        try await store.touchMachineToken(id: "a", at: Make.start + 100)
        try await store.touchMachineToken(id: "a", at: Make.start + 50)
        #expect(try await store.machineToken(Make.digest(1)) == token("a", used: 100))
    }

    @Test(arguments: Engine.allCases)
    func `a revoked token is gone at once, and an unknown one leaves no event`(engine: Engine) async throws {
        let store = try await engine.open()
        try await add(token("a"), 1, store)
        let event = Make.event(.machineTokenRevoked, account: nil)
        #expect(try await !store.revokeMachineToken(id: "b", event: event))
        #expect(try await store.revokeMachineToken(id: "a", event: event))
        #expect(try await !store.revokeMachineToken(id: "a", event: event))
        #expect(try await store.machineToken(Make.digest(1)) == nil)
        let kinds = try await store.latestEvents(accountID: nil, kind: nil, limit: 9).map(\.event.kind)
        #expect(kinds.count { $0 == .machineTokenRevoked } == 1)
    }

    @Test(arguments: Engine.allCases)
    func `an expired token is listed for 30 days, one that never expires for good`(engine: Engine) async throws {
        let store = try await engine.open()
        try await add(token("a"), 1, store)
        try await add(token("b", made: 1, expires: 60), 2, store)
        let end = Make.start + 60 + 30 * 86_400
        try await store.purge(PurgeBounds(now: end - 1, keepEventsSince: Make.start))
        #expect(try await store.machineTokens(application: nil).map(\.id) == ["b", "a"])
        try await store.purge(PurgeBounds(now: end, keepEventsSince: Make.start))
        #expect(try await store.machineTokens(application: nil).map(\.id) == ["a"])
    }
}
