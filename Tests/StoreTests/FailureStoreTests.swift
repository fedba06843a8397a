import Foundation
import GRDB
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What strangers' failures leave behind.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct FailureStoreTests {
    /// As the secret key's MAC of an address would be.
    private static func key(_ number: Int) -> [UInt8] {
        var state = UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15
        return (0..<16).map { _ in
            state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB &+ 1
            return UInt8(truncatingIfNeeded: state >> 40)
        }
    }

    private static func event(_ number: Int, account: AccountID? = nil, at: Date = Make.start) -> SecurityEvent {
        SecurityEvent(
            id: "event-\(number)", kind: .loginFailed, accountID: account, at: at,
            address: IPAddress("192.0.2.\(number % 250)"), userAgent: "agent \(number)"
        )
    }

    /// A failed login for a new address from a new network, as login writes it.
    private static func fail(_ store: SQLiteStore, _ number: Int, at now: Date) async throws {
        let claims = [(1, 2000), (2, 18_000), (3, 90_000)].map { limit, interval in
            LimitClaim(key: key(number * 3 + limit), interval: Int64(interval), burst: 900_000)
        }
        _ = try await store.take(claims, now: now)
        try await store.loginFailed(failuresKey: key(number), event: event(number, at: now))
    }

    static func fail(_ store: SQLiteStore, _ numbers: Range<Int>, at now: Date) async throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 500) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in start..<min(start + 500, numbers.upperBound) {
                    group.addTask { try await fail(store, number, at: now) }
                }
                try await group.waitForAll()
            }
        }
    }

    static func bytes(_ store: SQLiteStore) async throws -> Int {
        try await store.database.read { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return pages * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }

    @Test func `failures for random addresses grow the file by less than 2 MB, however many they are`() async throws {
        let store = try SQLiteStore(inMemory: ())
        let empty = try await Self.bytes(store)
        try await Self.fail(store, 0..<12_000, at: Make.start)
        let warm = try await Self.bytes(store)
        #expect(warm - empty < 2_000_000)
        // An hour's sum is the only row more.
        try await Self.fail(store, 12_000..<32_000, at: Make.start + 3600)
        #expect(try await Self.bytes(store) - warm < 200_000)
        let rows = try await store.latestEvents(accountID: nil, kind: nil, limit: 99)
        #expect(rows.map(\.event.count) == [20_000, 12_000])
        #expect(rows.allSatisfy { $0.event.address == nil && $0.event.userAgent.isEmpty })
    }

    @Test func `a flood of others does not touch the failures in a row of an account`() async throws {
        let store = try SQLiteStore(inMemory: ())
        #expect(try await store.addAccount(Make.account("a")))
        for number in 0..<99 {
            try await store.loginFailed(
                failuresKey: Self.key(-1), event: Self.event(-number - 1, account: "a", at: Make.start))
        }
        try await Self.fail(store, 0..<10_000, at: Make.start)
        try await store.purge(PurgeBounds(now: Make.start + 3600, keepEventsSince: Make.start - 1))
        let record = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Self.key(-1))
        #expect(record.failuresInARow == 99)
    }

    @Test(arguments: Engine.allCases)
    func `of an account ten failures an hour are kept one by one, the others as a sum`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        for number in 0..<30 {
            try await store.loginFailed(
                failuresKey: Make.key(9), event: Self.event(number, account: "a", at: Make.start + Double(number)))
        }
        let first = try await store.events(accountID: "a", limit: 99).filter { $0.kind == .loginFailed }
        #expect(first.map(\.count) == [20] + Array(repeating: 1, count: 10))
        #expect(first[0].address == IPAddress("192.0.2.29") && first[0].at == Make.start + 29)
        for number in 30..<45 {
            try await store.loginFailed(
                failuresKey: Make.key(9), event: Self.event(number, account: "a", at: Make.start + 3600))
        }
        let second = try await store.events(accountID: "a", limit: 99).filter { $0.kind == .loginFailed }
        #expect(second.map(\.count).reduce(0, +) == 45 && second.count == 22)
    }

    @Test(arguments: Engine.allCases)
    func `failures in a row are forgotten 90 days after the last one, and not before`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a")))
        for number in 0..<3 {
            try await store.loginFailed(failuresKey: Make.key(9), event: Self.event(number, account: "a"))
        }
        for (seconds, left) in [(90 * 86_400.0 - 1, 3), (90 * 86_400, 0)] {
            try await store.purge(PurgeBounds(now: Make.start + seconds, keepEventsSince: Make.start))
            let record = try await store.loginRecord(emailKey: "ada@example.com", failuresKey: Make.key(9))
            #expect(record.failuresInARow == left)
        }
    }

    @Test func `as many rows are written for an address with an account as for one without`() async throws {
        let store = try SQLiteStore(inMemory: ())
        #expect(try await store.addAccount(Make.account("a")))
        func rows(_ account: AccountID?, _ number: Int) async throws -> Int {
            let before = try await store.database.read { $0.totalChangesCount }
            try await store.loginFailed(
                failuresKey: Make.key(account == nil ? 1 : 2), event: Self.event(number, account: account))
            return try await store.database.read { $0.totalChangesCount } - before
        }
        for number in 0..<25 {
            let (known, unknown) = (try await rows("a", number), try await rows(nil, 100 + number))
            #expect(known == 2)
            #expect(unknown == 2)
        }
    }

    @Test func `the counters of limits stay few, and those that are nearly full are the last to go`() async throws {
        let store = try SQLiteStore(inMemory: ())
        let target = LimitClaim(key: Self.key(-7), interval: 90_000, burst: 900_000)
        for _ in 0..<10 { #expect(try await store.take([target], now: Make.start) == nil) }
        try await Self.fail(store, 0..<8000, at: Make.start)
        #expect(try await store.take([target], now: Make.start) != nil)
        #expect(try await Self.counters(of: store) <= 16_384 + CounterSweep.every + 3)
    }

    @Test(arguments: Engine.allCases)
    func `a flood of counters of long limits pushes out neither a full short one nor that of everybody`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        let short = LimitClaim(key: Self.key(-8), interval: 6000, burst: 60_000)
        let everybody = LimitClaim(key: Self.key(-9), interval: 10, burst: 100_000, countsEverybody: true)
        for _ in 0..<10 { #expect(try await store.take([short], now: Make.start) == nil) }
        #expect(try await store.take([everybody], now: Make.start) == nil)
        for start in stride(from: 0, to: 20_000, by: 100) {
            let daily = (start..<start + 100).map {
                LimitClaim(key: Self.key($0), interval: 1_728_000, burst: 86_400_000)
            }
            #expect(try await store.take(daily, now: Make.start) == nil)
        }
        #expect(try await store.take([short], now: Make.start) != nil)
        // What it has left is all but the one that was taken.
        let rest = LimitClaim(key: everybody.key, interval: 100_000, burst: 100_000, countsEverybody: true)
        #expect(try await store.take([rest], now: Make.start) != nil)
        #expect(try await Self.counters(of: store) <= 16_384 + CounterSweep.every + 100)
    }

    private static func counters(of store: any Store) async throws -> Int {
        let count = "SELECT count(*) AS count FROM rate_limits"
        if let store = store as? PostgresStore { return try await store.read { try $0.one(count)?["count"] ?? 0 } }
        return try await #require(store as? SQLiteStore).database.read { try Int.fetchOne($0, sql: count) ?? 0 }
    }
}

/// The whole million, which takes minutes: `VESTIBULE_TEST_MILLION=on swift test --filter
/// MillionFailuresTests`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["VESTIBULE_TEST_MILLION"] != nil), .timeLimit(.minutes(60)))
struct MillionFailuresTests {
    @Test func `a million failures for random addresses grow the file by less than 2 MB`() async throws {
        let store = try SQLiteStore(path: Engine.temporaryFolder() + "/million.sqlite")
        _ = try store.migrate()
        let empty = try await FailureStoreTests.bytes(store)
        for hour in 0..<20 {
            let now = Make.start + Double(hour) * 3600
            try await FailureStoreTests.fail(store, hour * 50_000..<(hour + 1) * 50_000, at: now)
        }
        let grown = try await FailureStoreTests.bytes(store) - empty
        print("a million failures: \(grown) bytes")
        #expect(grown < 2_000_000)
        try store.close()
    }
}
