import Foundation
import Testing

@testable import Vestibule

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct RateLimitStoreTests {
    /// Ten in a hundred seconds.
    private func claim(_ key: UInt8) -> LimitClaim {
        LimitClaim(key: Array(repeating: key, count: 16), interval: 10_000, burst: 100_000)
    }

    @Test(arguments: Engine.allCases)
    func `a burst is granted, then one an interval`(engine: Engine) async throws {
        let store = try await engine.open()
        for _ in 0..<10 { #expect(try await store.take([claim(1)], now: Make.start) == nil) }
        #expect(try await store.take([claim(1)], now: Make.start)?.until == Make.start + 10)
        #expect(try await store.take([claim(1)], now: Make.start + 9.9) != nil)
        #expect(try await store.take([claim(1)], now: Make.start + 10) == nil)
        #expect(try await store.take([claim(1)], now: Make.start + 10) != nil)
        #expect(try await store.take([claim(2)], now: Make.start) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `it is told until when a claim would be refused, and nothing is taken`(engine: Engine) async throws {
        let store = try await engine.open()
        for _ in 0..<9 { _ = try await store.take([claim(1)], now: Make.start) }
        for _ in 0..<20 { #expect(try await store.refusedUntil([claim(1)], now: Make.start) == nil) }
        #expect(try await store.take([claim(1)], now: Make.start) == nil)
        #expect(try await store.refusedUntil([claim(2), claim(1)], now: Make.start + 9.9) == Make.start + 10)
        #expect(try await store.refusedUntil([claim(1)], now: Make.start + 10) == nil)
        _ = try await store.take([claim(2)], now: Make.start + 365 * 86_400)
        #expect(try await store.refusedUntil([claim(2)], now: Make.start) == nil)
    }

    @Test(arguments: Engine.allCases)
    func `all claims are taken or none`(engine: Engine) async throws {
        let store = try await engine.open()
        for _ in 0..<10 { _ = try await store.take([claim(1)], now: Make.start) }
        for _ in 0..<20 { #expect(try await store.take([claim(2), claim(1)], now: Make.start)?.key == claim(1).key) }
        for _ in 0..<10 { #expect(try await store.take([claim(2)], now: Make.start) == nil) }
    }

    @Test(arguments: Engine.allCases)
    func `what is given back can be taken again`(engine: Engine) async throws {
        let store = try await engine.open()
        for _ in 0..<10 { _ = try await store.take([claim(1)], now: Make.start) }
        try await store.giveBack([claim(1)])
        #expect(try await store.take([claim(1)], now: Make.start) == nil)
        #expect(try await store.take([claim(1)], now: Make.start) != nil)
    }

    @Test(arguments: Engine.allCases)
    func `a clock that ran a year ahead locks nobody out when it is put right`(engine: Engine) async throws {
        let store = try await engine.open()
        _ = try await store.take([claim(1)], now: Make.start + 365 * 86_400)
        for _ in 0..<10 { #expect(try await store.take([claim(1)], now: Make.start) == nil) }
        #expect(try await store.take([claim(1)], now: Make.start) != nil)
    }

    @Test(arguments: Engine.allCases)
    func `what is used up is used up for a node whose clock is a little behind, too`(engine: Engine) async throws {
        let store = try await engine.open()
        for _ in 0..<10 { #expect(try await store.take([claim(1)], now: Make.start + 5) == nil) }
        #expect(try await store.take([claim(1)], now: Make.start) != nil)
    }

    @Test(arguments: Engine.allCases)
    func `two claims of one counter at once count as two`(engine: Engine) async throws {
        let store = try await engine.open()
        for _ in 0..<5 { #expect(try await store.take([claim(1), claim(1)], now: Make.start) == nil) }
        #expect(try await store.take([claim(1)], now: Make.start) != nil)
    }

    @Test(arguments: Engine.allCases)
    func `fifty at a time get ten places`(engine: Engine) async throws {
        let store = try await engine.open()
        let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { try await store.take([claim(1)], now: Make.start) == nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(granted == 10)
    }

    @Test(arguments: Engine.allCases)
    func `a purge takes all that is over, however much, and nothing else`(engine: Engine) async throws {
        let store = try await engine.open()
        func claim(_ number: Int, burst: Int64) -> LimitClaim {
            LimitClaim(
                key: withUnsafeBytes(of: number, Array.init) + Array(repeating: 0, count: 8), interval: burst,
                burst: burst)
        }
        for number in 0..<1200 { _ = try await store.take([claim(number, burst: 1000)], now: Make.start) }
        _ = try await store.take([claim(9999, burst: 60_000)], now: Make.start)
        try await store.purge(PurgeBounds(now: Make.start + 2, keepEventsSince: Make.start))
        // Of a counter that is gone, the whole burst is there again: seen by a clock that was put
        // back.
        for number in [0, 700, 1199] {
            #expect(try await store.take([claim(number, burst: 1000)], now: Make.start) == nil)
        }
        #expect(try await store.take([claim(9999, burst: 60_000)], now: Make.start) != nil)
    }
}
