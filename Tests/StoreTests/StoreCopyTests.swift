import Foundation
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL
@testable import VestibuleSQLite

@Suite(.closesStores, .timeLimit(.minutes(15)))
struct StoreCopyTests {
    /// From every engine to every engine.
    private static let pairs = Engine.allCases.flatMap { from in Engine.allCases.map { (from, $0) } }

    /// Accounts, sessions, events and mails with whatever text people give.
    private func fill(_ store: any Store) async throws {
        let emails: [EmailAddress] = ["ada1@example.com", "ada2@example.com", "ada3@example.com"]
        for (number, email) in zip(UInt8(1)..., emails) {
            let id = AccountID(rawValue: "account-\(number)")
            #expect(try await store.addAccount(Make.account(id, email: email, token: number)))
            try await store.loginFailed(failuresKey: Make.key(number), event: Make.event(.loginFailed, account: id))
        }
        try await store.rename(
            to: "Ada 🪜 \u{600}'; DROP TABLE accounts", by: Make.presented(account: "account-1"),
            event: Make.event(.profileChanged, account: "account-1"))
        try await store.noteNode(Node(id: "n", name: "web", version: "1", startedAt: Make.start), now: Make.start)
    }

    private func copy(_ source: any CopyStore, _ target: any Store) async throws -> [StoreCopy.Report] {
        try await StoreCopy(from: source, to: target).run { _ in }
    }

    @Test(arguments: pairs)
    func `everything is in the copy, and the copy of the copy is the same`(from: Engine, to: Engine) async throws {
        let (source, target) = (try await from.open(), try await to.open())
        try await fill(source)
        let report = try await copy(source, target)
        #expect(report.map(\.table) == CopiedTable.names)
        #expect(report.first { $0.table == "accounts" }?.rows == 3)
        #expect(try await target.session(Make.digest(2)) == source.session(Make.digest(2)))
        #expect(
            try await target.latestEvents(accountID: nil, kind: nil, limit: 99).map(\.event)
                == source.latestEvents(accountID: nil, kind: nil, limit: 99).map(\.event))
        #expect(try target.databaseID() == source.databaseID())
        #expect(try await target.nodes() == [])
        let third = try await from.open()
        #expect(try await copy(target, third) == report)
    }

    @Test(arguments: Engine.allCases)
    func `a store on which a server with a webhook was started takes a copy`(engine: Engine) async throws {
        let (source, target) = (try await Engine.sqliteInMemory.open(), try await engine.open())
        try await fill(source)
        try await target.setSubscriptions([SignalSubscription(event: "account.created", target: "webhook:portal")])
        let report = try await copy(source, target)
        #expect(report.first { $0.table == "signals" }?.rows == 0)
        #expect(try await target.signals(limit: 9).isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a store that is not empty is refused and stays as it is`(engine: Engine) async throws {
        let (source, target) = (try await Engine.sqliteInMemory.open(), try await engine.open())
        try await fill(source)
        #expect(try await target.addAccount(Make.account("other", email: "grace@example.com")))
        await #expect(throws: StoreCopy.Fault.notEmpty(table: "accounts")) { try await copy(source, target) }
        #expect(try await target.accounts(in: nil, after: nil, limit: 9).map(\.account.id) == ["other"])
    }

    @Test(arguments: Engine.allCases)
    func `a row that the target keeps otherwise undoes the copy`(engine: Engine) async throws {
        let (source, target) = (try await Engine.sqliteInMemory.open(), try await engine.open())
        try await fill(source)
        await #expect(throws: StoreCopy.Fault.differs(table: "accounts", key: "id account-2")) {
            try await copy(Altered(store: source), target)
        }
        #expect(try await target.accounts(in: nil, after: nil, limit: 9).isEmpty)
    }

    /// The last one is as long as what it would be changed to.
    @Test(arguments: Engine.allCases, ["416400610a", "61ff62", "f09f98"])
    func `text with a NUL, or that is no UTF-8, is refused, and named by its row`(
        engine: Engine, bytes: String
    ) async throws {
        let (source, target) = (try SQLiteStore(inMemory: ()), try await engine.open())
        try await fill(source)
        _ = try await source.write { database in
            try database.run("UPDATE accounts SET display_name = CAST(x'\(bytes)' AS TEXT) WHERE id = 'account-3'")
        }
        await #expect(throws: StoreCopy.Fault.holdsBadText(table: "accounts", key: "id account-3")) {
            try await copy(source, target)
        }
        #expect(try await target.accounts(in: nil, after: nil, limit: 9).isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `every table of an engine is copied or left out on purpose`(engine: Engine) async throws {
        let store = try await engine.open()
        let tables = try await names(ofTablesOf: store)
        #expect(Set(tables).subtracting(CopiedTable.leftOut) == Set(CopiedTable.names))
        for table in try store.reading({ try $0.tables() }) { #expect(!table.key.isEmpty && !table.columns.isEmpty) }
    }

    /// As the engine itself lists them.
    private func names(ofTablesOf store: any Store) async throws -> [String] {
        if let store = store as? PostgresStore {
            let all = "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'"
            return try await store.select(all) { try $0["name"] }
        }
        let all = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        return try await #require(store as? SQLiteStore).select(all) { try $0["name"] }
    }
}

/// A source whose second look at an account is another one than the first.
private struct Altered: CopyStore {
    let store: any Store

    func reading<Value>(_ work: (any TableReader) throws -> Value) throws -> Value {
        try store.reading { try work(Reader(reader: $0)) }
    }

    func writing<Value>(_ work: (any TableWriter) throws -> Value) throws -> Value { try store.writing(work) }

    private final class Reader: TableReader {
        let reader: any TableReader
        var looks = 0

        init(reader: any TableReader) {
            self.reader = reader
        }

        func tables() throws -> [CopiedTable] { try reader.tables() }
        func count(_ table: CopiedTable) throws -> Int { try reader.count(table) }

        func rows(of table: CopiedTable) throws -> any CopiedRows {
            guard table.name == "accounts" else { return try reader.rows(of: table) }
            looks += 1
            return Rows(rows: try reader.rows(of: table), table: table, isAltered: looks > 1)
        }
    }

    private struct Rows: CopiedRows {
        var rows: any CopiedRows
        let table: CopiedTable
        let isAltered: Bool

        mutating func next(_ count: Int) throws -> [CopiedRow] {
            let id = table.columns.firstIndex(of: "id") ?? 0
            return try rows.next(count).map { row in
                guard isAltered, row[id] == .text("account-2") else { return row }
                return row.map { $0 == .text("ada2@example.com") ? .text("ada2@example.org") : $0 }
            }
        }
    }
}
