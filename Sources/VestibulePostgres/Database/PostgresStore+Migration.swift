import Essentials
import Foundation
package import Vestibule
import VestibuleSQL

extension PostgresStore {
    /// Oldest major version that is served: ten thousands are its number.
    private static let oldestServer = 140_000
    /// How long another node's migration is waited for, and one statement of ours may take.
    private static let migrationPatience: Duration = .seconds(3600)

    /// Throws `StoreUnavailable` unless a server takes writes and is new enough, and the database
    /// holds every letter. On the caller's thread.
    package func checkServer() throws {
        try onThisThread { _ in }
    }

    package func schemaAge() throws -> SchemaAge {
        try onThisThread { try Schema.applied($0).age }
    }

    package func isBlank() throws -> Bool {
        try onThisThread { try Schema.applied($0).isEmpty }
    }

    package func databaseID() throws -> String? {
        try onThisThread { connection in
            guard try Schema.exists("database_id", connection) else { return nil }
            return try connection.one("SELECT id FROM database_id")?["id"]
        }
    }

    package func migrate() throws -> Int {
        try onThisThread { connection in
            guard try Schema.applied(connection).age != .current else { return 0 }
            var count = 0
            while try migrateOncePatiently(connection) { count += 1 }
            return count
        }
    }

    /// Runs the oldest migration as soon as no dump or long query uses its tables. It waits two
    /// seconds for a lock, because later statements queue behind that wait, and tries again a
    /// second later. Two seconds are longer than `deadlock_timeout`, after which PostgreSQL cancels
    /// a vacuum that holds the lock.
    private func migrateOncePatiently(_ connection: PostgresConnection) throws -> Bool {
        let end = ContinuousClock.now + Self.migrationPatience
        while true {
            do {
                return try migrateOnce(connection)
            } catch let fault as PostgresFault where (fault.isLockTimeout || fault.isDeadlock) && .now < end {
                Thread.sleep(forTimeInterval: 1)
            }
        }
    }

    /// PostgreSQL's own tools copy it better.
    package func backUp(to path: String) async throws -> BackupFacts {
        throw BackupFault(
            "PostgreSQL is backed up by its own tools, pg_dump or a base backup (docs/operating/cluster.md)")
    }

    /// Runs the oldest migration that has not run. Returns false if there is none. One node at a
    /// time: the others wait, and find it done.
    private func migrateOnce(_ connection: PostgresConnection) throws -> Bool {
        try connection.execute("BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0")
        do {
            try connection.execute(
                "SELECT pg_advisory_xact_lock(\(AdvisoryLock.migration.key))", patience: Self.migrationPatience)
            try connection.execute("SET LOCAL lock_timeout = '2s'")
            try connection.execute(Schema.table)
            let applied = try Schema.applied(connection)
            guard applied.age != .newer else {
                throw StoreUnavailable("the database was written by a newer version of Vestibule")
            }
            let next = Schema.migrations.first { !applied.contains($0.number) }
            if let next { try run(next, connection) }
            try connection.execute("COMMIT")
            return next != nil
        } catch {
            if connection.isUsable { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    private func run(_ migration: Migration, _ connection: PostgresConnection) throws {
        for statement in migration.statements {
            try connection.execute(statement, patience: Self.migrationPatience)
        }
        try connection.run(
            "INSERT INTO schema_migrations (number, name, applied_at, only_adds) VALUES ($1, $2, $3, $4)",
            [migration.number, migration.name, Date.now.ms, migration.onlyAdds])
    }

    /// Throws `StoreUnavailable` when it is too old.
    static func check(serverVersion version: Int) throws {
        guard version >= oldestServer else {
            throw StoreUnavailable("PostgreSQL \(version / 10_000) is too old: it must be 14 or newer")
        }
    }

    /// Throws `StoreUnavailable` when it lacks letters (LATIN1), or takes bytes for letters
    /// (SQL_ASCII).
    private static func check(encoding: String?) throws {
        guard let encoding, !encoding.isExactly("UTF8") else { return }
        throw StoreUnavailable("the database has the encoding \(encoding), and must have UTF8", .encoding)
    }

    /// Works with a connection on the thread of the caller. Throws `StoreUnavailable`, also when
    /// the server is too old or the database has another encoding than UTF8.
    func onThisThread<Value>(_ work: (PostgresConnection) throws -> Value) throws -> Value {
        do {
            return try pool.lend { connection in
                try Self.check(serverVersion: connection.serverVersion)
                try Self.check(encoding: connection.encoding)
                return try work(connection)
            }
        } catch let fault as PostgresFault {
            throw StoreUnavailable(fault)
        }
    }
}
