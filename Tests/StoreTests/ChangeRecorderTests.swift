import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// What the triggers tell, on the tables as they are.
struct ChangeRecorderTests {
    private let store: SQLiteStore
    private let recorder = ChangeRecorder()

    init() async throws {
        store = try SQLiteStore(inMemory: ())
        _ = try await store.addAccount(Make.account("a", token: 1))
        _ = try await store.addAccount(Make.account("b", email: "bob@example.com", token: 2))
        try await store.database.writeWithoutTransaction { [recorder] in try recorder.install($0) }
    }

    private func changes(by sql: String) async throws -> Set<CachedChange> {
        _ = recorder.take()
        try await store.database.writeWithoutTransaction { try $0.execute(sql: sql) }
        return recorder.take()
    }

    /// Says of every table that is read by `read` whether it is watched.
    private func tables(read: @escaping @Sendable (Database) throws -> Void) async throws -> Set<String> {
        let statements = Mutex<[String]>([])
        return try await store.database.writeWithoutTransaction { database in
            database.trace { event in statements.withLock { $0.append("\(event)") } }
            try read(database)
            database.trace(options: [])
            let regions = try statements.withLock { $0 }.map {
                try database.makeStatement(sql: $0).databaseRegion.description
            }
            let names = try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            return Set(names.filter { name in regions.contains { $0.contains("\(name)(") } })
        }
    }

    @Test func `every table that sessions and overviews are read from is watched`() async throws {
        let read = try await tables { [store] database in
            _ = try store.readSession(Make.digest(1), database)
            _ = try store.readOverview("a", 5, Make.start, database)
        }
        #expect(read == ChangeRecorder.tables)
    }

    @Test func `an account tells of itself, and when it goes of its sessions`() async throws {
        #expect(try await changes(by: "UPDATE accounts SET display_name = 'x' WHERE id = 'a'") == [.account("a")])
        #expect(
            try await changes(by: "DELETE FROM accounts WHERE id = 'a'") == [
                .account("a"), .session(Make.digest(1), accountID: "a"), .overview(accountID: "a"),
            ])
    }

    @Test func `a session tells of the token it had and of the one it has`() async throws {
        #expect(
            try await changes(by: "UPDATE sessions SET token_digest = zeroblob(32) WHERE account_id = 'a'") == [
                .session(Make.digest(1), accountID: "a"), .session(Make.digest(0), accountID: "a"),
            ])
    }

    private static let rows = [
        "consents": """
        INSERT INTO consents (id, account_id, version, text_digest, locale, address, accepted_at)
        VALUES ('new', 'a', '1', zeroblob(32), 'en', '', 0)
        """,
        "identities": """
        INSERT INTO identities (id, account_id, provider, issuer, subject, created_at)
        VALUES ('new', 'a', 'apple', 'apple', '1', 0)
        """,
        "security_events": """
        INSERT INTO security_events (id, account_id, kind, at, address, user_agent)
        VALUES ('new', 'a', 'login', 0, '', '')
        """,
    ]

    @Test(arguments: rows.keys.sorted())
    func `a row that an account has tells of it, wherever it goes`(table: String) async throws {
        let here = CachedChange.overview(accountID: "a")
        let there = CachedChange.overview(accountID: "b")
        #expect(try await changes(by: try #require(Self.rows[table])) == [here])
        #expect(try await changes(by: "UPDATE \(table) SET account_id = 'b' WHERE id = 'new'") == [here, there])
        #expect(try await changes(by: "DELETE FROM \(table) WHERE id = 'new'") == [there])
    }

    @Test func `a group that is entered or left tells of the account, whose sessions show it`() async throws {
        let entered = "INSERT INTO account_groups (account_id, name) VALUES ('a', 'editors')"
        #expect(try await changes(by: entered) == [.account("a")])
        #expect(
            try await changes(by: "UPDATE account_groups SET account_id = 'b'") == [.account("a"), .account("b")])
        #expect(try await changes(by: "DELETE FROM account_groups") == [.account("b")])
    }

    @Test func `a session that starts tells of itself`() async throws {
        let sql = """
            INSERT INTO sessions (id, token_digest, account_id, created_at, last_seen_at, idle_ms, expires_at,
                remembered, proved_at, awaits_terms, user_agent, address)
            SELECT 'new', zeroblob(32), account_id, 0, 0, 0, 0, 0, 0, 0, '', '' FROM sessions WHERE account_id = 'a'
            """
        #expect(try await changes(by: sql) == [.session(Make.digest(0), accountID: "a")])
    }

    @Test func `an event of no account is told like others, of an account that nobody has`() async throws {
        let sql = "INSERT INTO security_events (id, kind, at, address, user_agent) VALUES ('x', 'login', 0, '', '')"
        #expect(try await changes(by: sql) == [.overview(accountID: "")])
    }

    @Test func `tables that nothing is remembered of tell nothing`() async throws {
        #expect(
            try await changes(
                by: """
                    INSERT INTO heartbeat (one, at) VALUES (1, 0);
                    INSERT INTO login_failures (key, count, last_at) VALUES (zeroblob(16), 1, 0);
                    """
            ).isEmpty)
    }
}
