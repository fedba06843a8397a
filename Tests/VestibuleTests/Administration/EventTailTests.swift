import Foundation
import Testing
import Vestibule
import VestibuleSQLite

@Suite(.timeLimit(.minutes(15)))
struct EventTailTests {
    private let clock = TestClock()

    private func happen(_ store: SQLiteStore, _ id: String, secondsAgo: TimeInterval = 0) async throws {
        let event = SecurityEvent(
            id: id, kind: .loginFailed, accountID: nil, at: clock.now - secondsAgo, address: "192.0.2.1", userAgent: ""
        )
        try await store.loginFailed(failuresKey: [1], event: event)
    }

    private func next(_ tail: inout EventTail) async throws -> [String] {
        clock.advance(by: .seconds(1))
        return try await tail.next(now: clock.now).map(\.event.id)
    }

    @Test func `it begins with the last events and tells each later one once`() async throws {
        let store = try sharedStore()
        for id in ["1", "2", "3"] { try await happen(store, id) }
        var tail = EventTail(store: store, accountID: nil, now: clock.now)
        #expect(try await tail.last(2).map(\.event.id) == ["2", "3"])
        #expect(try await next(&tail) == [])
        try await happen(store, "4")
        try await happen(store, "5")
        #expect(try await next(&tail) == ["4", "5"])
        for _ in 0..<40 { #expect(try await next(&tail) == []) }
    }

    @Test func `an event that was committed later than it happened is not lost`() async throws {
        let store = try sharedStore()
        var tail = EventTail(store: store, accountID: nil, now: clock.now)
        #expect(try await tail.last(2).isEmpty)
        try await happen(store, "quick")
        #expect(try await next(&tail) == ["quick"])
        try await happen(store, "slow", secondsAgo: 6)
        #expect(try await next(&tail) == ["slow"])
    }

    @Test func `whoever was asleep for an hour misses nothing`() async throws {
        let store = try sharedStore()
        var tail = EventTail(store: store, accountID: nil, now: clock.now)
        #expect(try await tail.last(0).isEmpty)
        clock.advance(by: .seconds(60))
        try await happen(store, "early")
        clock.advance(by: .seconds(3600))
        #expect(try await next(&tail) == ["early"])
    }
}
