import Foundation
import GRDB
import Testing

@testable import Vestibule
@testable import VestibuleSQLite

/// Databases of older versions, brought up to date.
struct MigrationTests {
    static let beforeChecks = Migration.mailLeases.name

    /// A database as that migration left it.
    static func database(of version: String, _ work: (Database) throws -> Void = { _ in }) throws
        -> DatabaseQueue
    {
        let database = try DatabaseQueue()
        try Schema.migrator.migrate(database, upTo: version)
        try database.write(work)
        return database
    }

    /// Every row, by its table.
    static func rows(_ database: DatabaseQueue) throws -> [String: [[String: DatabaseValue]]] {
        try database.read { database in
            var rows: [String: [[String: DatabaseValue]]] = [:]
            for table in SampleRows.all.map(\.table) + ["database_id"] where try database.tableExists(table) {
                rows[table] = try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { row in
                    Dictionary(uniqueKeysWithValues: zip(row.columnNames, row.databaseValues))
                }
            }
            return rows
        }
    }

    static func schema(_ database: DatabaseQueue) throws -> [Row] {
        try database.read {
            try Row.fetchAll($0, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
        }
    }

    @Test(arguments: Schema.migrations.map(\.name))
    func `a database of every version keeps its rows and gets the schema of a new one`(version: String) throws {
        let old = try Self.database(of: version, SampleRows.insert)
        let before = try Self.rows(old)
        try Schema.migrator.migrate(old)
        let after = try Self.rows(old)
        for (table, rows) in before {
            let kept = try #require(after[table])
            #expect(kept.count == rows.count)
            for (row, new) in zip(rows, kept) {
                #expect(row.filter { new[$0.key] != nil } == new.filter { row[$0.key] != nil }, "\(table)")
            }
        }
        let new = try Self.database(of: Schema.migrations.last?.name ?? "")
        #expect(try Self.schema(old) == Self.schema(new))
    }

    @Test func `nothing but the mark of a lease is left out of a row`() throws {
        let old = try Self.database(of: Migration.flows.name, SampleRows.insert)
        let before = try Self.rows(old).flatMap { table, rows in rows.flatMap { $0.keys.map { "\(table).\($0)" } } }
        try Schema.migrator.migrate(old)
        let after = try Self.rows(old).flatMap { table, rows in rows.flatMap { $0.keys.map { "\(table).\($0)" } } }
        #expect(Set(before).subtracting(after) == ["outbox.leased"])
    }

    @Test func `a table of nodes with names of secret keys becomes one with ids`() throws {
        let old = try Self.database(of: Migration.nodes.name) { database in
            for column in ["key", "previous_key"] {
                try database.execute(sql: "ALTER TABLE nodes RENAME COLUMN \(column)_id TO \(column)_name")
            }
        }
        try Schema.migrator.migrate(old)
        #expect(try Self.schema(old) == Self.schema(Self.database(of: Schema.migrations.last?.name ?? "")))
    }

    @Test func `a mail that was being sent is due`() throws {
        let old = try Self.database(of: Migration.flows.name) { database in
            try SampleRows.insert(database)
            try database.execute(sql: "UPDATE outbox SET leased = 1, due_at = 61000")
        }
        try Schema.migrator.migrate(old)
        let mail = try #require(try Self.rows(old)["outbox"]?.first)
        #expect(mail["due_at"] == 1000.databaseValue && mail["leased_by"] == .null)
    }

    @Test func `rows stay in the order they were made in`() throws {
        let old = try Self.database(of: Self.beforeChecks) { database in
            for id in ["z", "gone", "m", "a"] {
                try database.execute(
                    sql: """
                        INSERT INTO security_events (id, kind, at, address, user_agent)
                        VALUES ('\(id)', 'login', 1, '', '')
                        """)
            }
            try database.execute(sql: "DELETE FROM security_events WHERE id = 'gone'")
        }
        try Schema.migrator.migrate(old)
        let rows = try old.read { try Row.fetchAll($0, sql: "SELECT rowid, id FROM security_events ORDER BY rowid") }
        #expect(rows.map { $0["rowid"] } == [1, 3, 4])
        #expect(rows.map { $0["id"] } == ["z", "m", "a"])
    }

    @Test func `an account still takes with it what belongs to it`() throws {
        let old = try Self.database(of: Self.beforeChecks, SampleRows.insert)
        try Schema.migrator.migrate(old)
        try old.write { try $0.execute(sql: "DELETE FROM accounts") }
        let left = try Self.rows(old).filter { !$0.value.isEmpty }.keys
        #expect(
            Set(left) == [
                "pending_signups", "outbox", "used_tokens", "login_failures", "rate_limits", "wrong_codes", "heartbeat",
                "database_id",
            ])
    }

    @Test func `indexes and triggers of the operator's own stay`() throws {
        let old = try Self.database(of: Self.beforeChecks) { database in
            try SampleRows.insert(database)
            try database.execute(
                sql: """
                    CREATE INDEX own ON accounts (created_at);
                    CREATE TABLE log (id TEXT);
                    CREATE TRIGGER own_log AFTER DELETE ON accounts BEGIN INSERT INTO log VALUES (OLD.id); END;
                    """)
        }
        try Schema.migrator.migrate(old)
        try old.write { try $0.execute(sql: "DELETE FROM accounts") }
        #expect(try old.read { try String.fetchAll($0, sql: "SELECT id FROM log") } == ["a"])
        #expect(try old.read { try $0.indexes(on: "accounts").contains { $0.name == "own" } })
    }
}
