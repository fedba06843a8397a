import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing
@testable import Vestibule
@testable import VestibuleSQL

/// What is kept of an account that a program signs in to again and again.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct VisitStoreTests {
    private func logIn(_ tokens: Range<UInt8>, at now: Date, _ store: any Store) async throws {
        for token in tokens {
            let at = now + Double(token)
            try await store.loginSucceeded(
                StoredLogin(
                    session: Make.session(token, account: "a", at: at), failuresKey: nil,
                    proved: PasswordHash(phc: "phc"), events: [Make.event(.login, account: "a", at: at)]))
        }
    }

    /// How often each event that is kept happened, the newest first.
    private func counts(_ store: any Store) async throws -> [Int] {
        try await store.latestEvents(accountID: "a", kind: "login", limit: 999).map(\.event.count)
    }

    @Test(arguments: Engine.allCases)
    func `of the sign-ins of an hour those after the twentieth become one sum`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        let hour = Date(ms: Make.start.ms / FailureCount.hour * FailureCount.hour)
        try await logIn(10..<40, at: hour, store)
        try await logIn(40..<60, at: hour + 3600, store)
        for _ in 1...2 {
            try await store.purge(PurgeBounds(now: hour + 3700, keepEventsSince: hour))
            #expect(try await counts(store) == Array(repeating: 1, count: 20) + [10] + Array(repeating: 1, count: 20))
        }
        try await logIn(60..<62, at: hour + 3600, store)
        try await store.purge(PurgeBounds(now: hour + 3700, keepEventsSince: hour))
        #expect(try await counts(store) == [2] + Array(repeating: 1, count: 20) + [10] + Array(repeating: 1, count: 20))
        let newest = try #require(await store.latestEvents(accountID: "a", kind: "login", limit: 1).first)
        #expect(newest.event.at == hour + 3661)
    }

    @Test(arguments: Engine.allCases)
    func `so do second steps begun, uses of an odd passkey and trust that is ended`(engine: Engine) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        let hour = Date(ms: Make.start.ms / FailureCount.hour * FailureCount.hour)
        let kinds = [SecurityEvent.Kind.secondStepBegun, .passkeyCounterBehind, .passkeyBackupChanged, .trustEnded]
        for number in 0..<UInt8(100) {
            try await store.note(
                Make.event(kinds[Int(number) % 4], account: "a", at: hour + Double(number)), once: Make.once(number))
        }
        try await store.purge(PurgeBounds(now: hour + 3700, keepEventsSince: hour - 1))
        for kind in kinds {
            let counts = try await store.latestEvents(accountID: "a", kind: kind.name, limit: 999).map(\.event.count)
            #expect(counts == [5] + Array(repeating: 1, count: 20), "\(kind)")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a file of everything held has as many events as may be read at once, the newest`(
        engine: Engine
    ) async throws {
        let store = try await engine.open()
        #expect(try await store.addAccount(Make.account("a", token: 1)))
        try await (store as? any SQLStore)?.addEvents(AccountExport.eventsAtMost, after: Make.start)
        let events = try #require(try await store.export(accountID: "a", now: Make.start)?.overview.events)
        #expect(events.count == AccountExport.eventsAtMost)
        #expect(events.allSatisfy { $0.kind == .logout } && events.first?.id == "e\(events.count)")
    }
}

extension SQLStore {
    /// Of the account `a`, a millisecond apart.
    fileprivate func addEvents(_ count: Int, after start: Date) async throws {
        try await write { connection in
            _ = try connection.run(
                """
                INSERT INTO security_events (id, kind, account_id, at, address, user_agent)
                WITH RECURSIVE numbers (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(count)
                ) SELECT 'e' || number, 'logout', 'a', \(start.ms) + number, '', '' FROM numbers ORDER BY number
                """, [])
        }
    }
}
