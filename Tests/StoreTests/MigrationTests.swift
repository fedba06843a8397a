import Foundation
import GRDB
import Testing

@testable import Vestibule
@testable import VestibuleSQL
@testable import VestibuleSQLite

/// A database that is brought up to date.
struct MigrationTests {
    private static let next = Migration(
        number: 999, name: "kites",
        statements: ["ALTER TABLE accounts ADD COLUMN kite TEXT", "DELETE FROM consents"])

    /// A new database with a row in each table.
    private func database() throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        try Schema.migrator.migrate(database)
        try database.write(SampleRows.insert)
        return database
    }

    private func filledTables(_ database: DatabaseQueue) throws -> Set<String> {
        try database.read { database in
            try Set(
                (SampleRows.all.map(\.table) + ["database_id"]).filter { table in
                    try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") == true
                })
        }
    }

    @Test func `migrations are numbered in their order`() {
        let numbers = Schema.migrations.map { String($0.identifier.prefix(3)) }
        #expect(numbers == (1...numbers.count).map { String(format: "%03d", $0) })
    }

    @Test func `a migration runs on the rows that are there`() throws {
        let database = try database()
        try Schema.migrator(Schema.migrations + [Self.next]).migrate(database)
        #expect(
            try filledTables(database) == Set(SampleRows.all.map(\.table) + ["database_id"]).subtracting(["consents"]))
    }

    @Test func `a migration runs once`() throws {
        let database = try database()
        let migrator = Schema.migrator(Schema.migrations + [Self.next])
        try migrator.migrate(database)
        // It would fail the second time.
        try migrator.migrate(database)
        #expect(try database.read(migrator.hasCompletedMigrations))
    }

    @Test func `a migration that fails leaves nothing`() throws {
        let database = try database()
        let failing = Migration(number: 999, name: "kites", statements: Self.next.statements + ["SELECT nothing"])
        #expect(throws: DatabaseError.self) { try Schema.migrator(Schema.migrations + [failing]).migrate(database) }
        #expect(try filledTables(database).contains("consents"))
        #expect(
            try database.read { try Schema.migrator.appliedIdentifiers($0) } == Set(Schema.migrations.map(\.identifier))
        )
    }

    @Test func `an account takes with it what belongs to it`() throws {
        let database = try database()
        try database.write { try $0.execute(sql: "DELETE FROM accounts") }
        #expect(
            try filledTables(database) == [
                "pending_signups", "outbox", "signals", "signal_targets", "used_tokens", "login_failures",
                "rate_limits", "wrong_codes", "heartbeat",
                "database_id", "signing_keys", "rsa_signing_keys", "client_secrets", "machine_tokens", "nodes",
            ])
    }
}
