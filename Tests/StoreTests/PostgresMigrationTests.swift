import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import Vestibule
@testable import VestibulePostgres
@testable import VestibuleSQL

/// A database of PostgreSQL from its first start on.
struct PostgresMigrationTests {
    @Test func `an empty database is migrated once`() async throws {
        let store = try await PostgresDatabase.blank().store()
        try await blocking { () throws -> Void in
            #expect(try store.isBlank())
            #expect(try store.databaseID() == nil)
            #expect(try store.schemaAge() == .older(pending: Schema.migrations.count))
            #expect(try store.migrate() == Schema.migrations.count)
            #expect(try store.migrate() == 0)
            #expect(try !store.isBlank())
            #expect(try store.schemaAge() == .current)
            #expect(try store.databaseID()?.count == 32)
        }
    }

    @Test func `of nodes that start together each migration runs on one`() async throws {
        let database = try await PostgresDatabase.blank()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    let store = try database.store()
                    return try await blocking { try store.migrate() }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.reduce(0, +) == Schema.migrations.count)
    }

    @Test func `a database of a newer version is refused and left as it is`() async throws {
        let store = try await PostgresDatabase.migrated().store()
        try await store.pool.with { connection in
            try connection.execute("INSERT INTO schema_migrations (number, name, applied_at) VALUES (999, 'next', 0)")
        }
        try await blocking { () throws -> Void in
            #expect(try store.schemaAge() == .newer)
            let fault = #expect(throws: StoreUnavailable.self) { try store.migrate() }
            #expect(fault?.description.contains("written by a newer version") == true)
        }
    }

    @Test func `a database that a newer version has only added to is served beside it`() async throws {
        let store = try await PostgresDatabase.migrated().store()
        try await store.pool.with { connection in
            try connection.execute(
                """
                CREATE TABLE kites (id text); ALTER TABLE accounts ADD COLUMN kite text;
                INSERT INTO schema_migrations (number, name, applied_at, only_adds) VALUES (999, 'kites', 0, true)
                """)
        }
        try await blocking { () throws -> Void in
            #expect(try store.schemaAge() == .current)
            #expect(try store.migrate() == 0)
        }
        #expect(try await store.addAccount(Make.account("a")))
        #expect(try await store.session(Make.digest(1))?.account.id == "a")
    }

    @Test func `a migration that waits for a long reader holds up nobody else`() async throws {
        let store = try await PostgresDatabase.migrated().store()
        try await store.pool.with { connection in
            try connection.execute("DELETE FROM schema_migrations WHERE name = '\(Schema.migrations[5].name)'")
        }
        let reader = OwnConnection()
        try await blocking {
            try reader.open(store.pool, patience: .seconds(60))
                .execute("BEGIN; LOCK TABLE pending_logins IN ACCESS SHARE MODE")
        }
        async let count = blocking { try store.migrate() }
        try await becomes { try await store.waitsForLock() }
        try await store.write(.plain) { _ = try $0.run("DELETE FROM pending_logins") }
        try await becomes { try await store.waitsForLock() }
        try await blocking { try reader.current?.execute("COMMIT") }
        #expect(try await count == 1)
    }

    @Test func `a migration that fails leaves nothing`() async throws {
        let store = try await PostgresDatabase.blank().store()
        try await store.pool.with { try $0.execute("CREATE TABLE heartbeat (one bigint)") }
        try await blocking { () throws -> Void in
            #expect(throws: StoreUnavailable.self) { try store.migrate() }
            #expect(try store.isBlank())
        }
    }

    @Test func `a server older than 14 is refused by its version`() throws {
        try PostgresStore.check(serverVersion: 140_000)
        let fault = #expect(throws: StoreUnavailable.self) { try PostgresStore.check(serverVersion: 130_014) }
        #expect(fault?.description.contains("PostgreSQL 13 is too old: it must be 14 or newer") == true)
    }

    @Test func `a backup is left to PostgreSQL's own tools`() async throws {
        let store = try await PostgresDatabase.migrated().store()
        await #expect(throws: BackupFault.self) { try await store.backUp(to: "/tmp/never") }
    }
}
