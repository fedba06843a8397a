import Foundation
import GRDB
import Synchronization
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// Many read what many write, here and as another process would.
@Suite(.closesStores, .timeLimit(.minutes(15)))
struct StaleReadTests {
    /// The numbers an account was renamed to. Who begins to read later must not see a smaller one.
    private final class Names: Sendable {
        private let history = Mutex<[(number: Int, at: ContinuousClock.Instant)]>([])

        func note(_ number: Int) { history.withLock { $0.append((number, .now)) } }

        /// The newest that was there `lag` before now.
        func least(lag: Duration = .zero) -> Int {
            let latest = ContinuousClock.now - lag
            return history.withLock { history in history.last { $0.at <= latest }?.number ?? 0 }
        }
    }

    private static let rounds = 120
    /// How late a commit of another process may be noticed.
    private static let lag: Duration = .milliseconds(50)
    private static let renamedElsewhere = 3
    private let store: SQLiteStore
    private let other: DatabaseQueue
    private let names = (0...renamedElsewhere).map { _ in Names() }

    init() async throws {
        (store, other) = try Engine.fileWithAnotherProcess(waiting: 60)
        for number in names.indices {
            let name = "\(number)"
            _ = try await store.addAccount(Make.account("\(name)", email: "\(name)@example.com", token: UInt8(number)))
            try await rename(number, to: 0)
        }
    }

    private func rename(_ account: Int, to number: Int) async throws {
        let event = Make.event(.profileChanged, account: "\(account)", at: Make.start + Double(number))
        try await store.rename(to: "\(number)", by: Make.presented(UInt8(account), account: "\(account)"), event: event)
        names[account].note(number)
    }

    private func renameElsewhere(to number: Int) async throws {
        try await other.write { database in
            try database.execute(
                sql: "UPDATE accounts SET display_name = ? WHERE id = ?",
                arguments: ["\(number)", "\(Self.renamedElsewhere)"])
        }
        names[Self.renamedElsewhere].note(number)
    }

    /// Returns what is wrong with what a visitor sees now.
    private func look(at account: Int) async throws -> String? {
        let isElsewhere = account == Self.renamedElsewhere
        let least = names[account].least(lag: isElsewhere ? Self.lag : .zero)
        let record = try await store.session(Make.digest(UInt8(account)))
        let name = record.flatMap { Int($0.account.displayName) } ?? -1
        guard name >= least else { return "account \(account) is shown as \(name), it was \(least)" }
        guard !isElsewhere else { return nil }
        let renamed = names[account].least()
        let overview = try await store.accountOverview(accountID: "\(account)", events: 1_000, now: Make.start)
        let events = overview.events.count { $0.kind == .profileChanged }
        return events > renamed ? nil : "account \(account) shows \(events) events after \(renamed)"
    }

    /// Reads until it is cancelled; returns the first thing that was wrong.
    private func read() async throws -> String? {
        do {
            while true {
                if let wrong = try await look(at: Int.random(in: names.indices)) { return wrong }
            }
        } catch is CancellationError {
            return nil
        }
    }

    private func write() async throws {
        try await withThrowingTaskGroup { group in
            for account in names.indices {
                group.addTask {
                    for number in 1...Self.rounds {
                        if account == Self.renamedElsewhere {
                            try await renameElsewhere(to: number)
                        } else {
                            try await rename(account, to: number)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `nobody sees what was true before a write that has returned`() async throws {
        let wrong = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<6 { group.addTask { try await read() } }
            try await write()
            group.cancelAll()
            return try await group.reduce(into: [String]()) { if let wrong = $1 { $0.append(wrong) } }
        }
        #expect(wrong.isEmpty)
        for account in names.indices {
            names[account].note(Self.rounds)
            while names[account].least(lag: Self.lag) < Self.rounds { await Task.yield() }
            #expect(try await look(at: account) == nil)
        }
    }
}
