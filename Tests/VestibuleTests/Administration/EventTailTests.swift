import Foundation
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct EventTailTests {
    private let clock = TestClock()

    private func happen(_ store: any Store, _ id: String, secondsAgo: TimeInterval = 0) async throws {
        let event = SecurityEvent(
            id: id, kind: .proved, accountID: nil, at: clock.now - secondsAgo, address: IPAddress("192.0.2.1"),
            userAgent: ""
        )
        try await store.note(event, once: Once(digest: Token(from: .system).digest, until: clock.now))
    }

    private func next(_ tail: inout EventTail) async throws -> [String] {
        clock.advance(by: .seconds(1))
        return try await tail.next(now: clock.now).map(\.event.id)
    }

    @Test func `it begins with the last events and tells each later one once`() async throws {
        let store = try await sharedStore()
        for id in ["1", "2", "3"] { try await happen(store, id) }
        var tail = EventTail(store: store, accountID: nil, now: clock.now)
        #expect(try await tail.last(2).map(\.event.id) == ["2", "3"])
        #expect(try await next(&tail) == [])
        try await happen(store, "4")
        try await happen(store, "5")
        #expect(try await next(&tail) == ["4", "5"])
        for _ in 0..<40 { #expect(try await next(&tail) == []) }
    }

    @Test func `events of another kind than the one it is asked for are not told, neither last nor next`() async throws
    {
        let store = try await sharedStore()
        try await happen(store, "1")
        var (proofs, logins) = (
            EventTail(store: store, accountID: nil, kind: "proved", now: clock.now),
            EventTail(store: store, accountID: nil, kind: "login", now: clock.now)
        )
        #expect(try await proofs.last(2).map(\.event.id) == ["1"])
        #expect(try await logins.last(2).isEmpty)
        try await happen(store, "2")
        #expect(try await next(&proofs) == ["2"])
        #expect(try await next(&logins) == [])
    }

    @Test func `a sum of failures is told again when it has grown`() async throws {
        let store = try await sharedStore()
        var tail = EventTail(store: store, accountID: nil, now: clock.now)
        #expect(try await tail.last(2).isEmpty)
        func fail() async throws {
            let event = SecurityEvent(
                id: "unused", kind: .loginFailed, accountID: nil, at: clock.now, address: IPAddress("192.0.2.1"),
                userAgent: "x")
            try await store.loginFailed(failuresKey: [1, 2], event: event)
        }
        for _ in 0..<3 { try await fail() }
        clock.advance(by: .seconds(1))
        let first = try await tail.next(now: clock.now)
        #expect(first.map(\.event.count) == [3] && first.map(\.event.address) == [nil])
        #expect(try await next(&tail) == [])
        for _ in 0..<2 { try await fail() }
        clock.advance(by: .seconds(1))
        #expect(try await tail.next(now: clock.now).map(\.event.count) == [5])
    }

    @Test func `an event that was committed later than it happened is not lost`() async throws {
        let store = try await sharedStore()
        var tail = EventTail(store: store, accountID: nil, now: clock.now)
        #expect(try await tail.last(2).isEmpty)
        try await happen(store, "quick")
        #expect(try await next(&tail) == ["quick"])
        try await happen(store, "slow", secondsAgo: 6)
        #expect(try await next(&tail) == ["slow"])
    }

    @Test func `a reader who was asleep for an hour misses nothing`() async throws {
        let store = try await sharedStore()
        var tail = EventTail(store: store, accountID: nil, now: clock.now)
        #expect(try await tail.last(0).isEmpty)
        clock.advance(by: .seconds(60))
        try await happen(store, "early")
        clock.advance(by: .seconds(3600))
        #expect(try await next(&tail) == ["early"])
    }
}
