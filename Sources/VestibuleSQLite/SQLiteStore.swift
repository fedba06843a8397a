import Foundation
import GRDB
import Vestibule

/// The default store: one SQLite file (WAL, `synchronous=FULL`, foreign keys), one writer, several readers.
package struct SQLiteStore: Store {
    let database: any DatabaseWriter
    private let file: DatabaseFile?

    /// Opens or makes the file (0600, its folder 0700). Throws `StoreUnavailable`. Does not migrate.
    package init(path: String) throws {
        do {
            try DatabaseFile.make(path)
            let pool = try DatabasePool(path: path, configuration: Self.configuration)
            database = pool
            file = try DatabaseFile(path: path)
        } catch {
            throw StoreUnavailable("\(path): \(error)")
        }
    }

    /// A store in memory, migrated, for tests.
    package init(inMemory: Void) throws {
        database = try DatabaseQueue(configuration: Self.configuration)
        file = nil
        try Schema.migrator.migrate(database)
    }

    /// Brings the schema up to date; returns how many migrations ran. Throws when a newer version has been here.
    package func migrate() throws -> Int {
        do {
            let migrator = Schema.migrator
            let (done, isNewer) = try database.read { database in
                (try migrator.appliedMigrations(database).count, try migrator.hasBeenSuperseded(database))
            }
            guard !isNewer else { throw StoreUnavailable("the file was written by a newer version of Vestibule") }
            try migrator.migrate(database)
            return migrator.migrations.count - done
        } catch let error as DatabaseError {
            throw StoreUnavailable("\(error)")
        }
    }

    /// Closes the file; waits for what is running.
    package func close() throws {
        try database.close()
    }

    /// How many pages the file may have, so that a full disk can be tried.
    package func limitPages(to count: Int) async throws {
        try await database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA max_page_count = \(count)")
        }
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await guarded { try await database.read(work) }
    }

    /// One durable transaction.
    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await guarded { try await database.write(work) }
    }

    /// One transaction that need not survive a power cut: counters, where an fsync would cost more than a lost count.
    func writeRelaxed<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await guarded {
            try await database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                defer { try? database.execute(sql: "PRAGMA synchronous = FULL") }
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try work(database)
                    return .commit
                }
                guard let value else { throw StoreUnavailable("transaction without result") }
                return value
            }
        }
    }

    private func guarded<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try file?.check()
        do {
            return try await work()
        } catch let error as DatabaseError where error.meansUnavailable {
            throw StoreUnavailable("\(error.resultCode): \(error.message ?? "")")
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(2)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }
}

extension DatabaseError {
    /// Codes that tell of the file or the disk, not of us.
    fileprivate var meansUnavailable: Bool {
        let codes: [ResultCode] = [
            .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN,
            .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_PERM, .SQLITE_PROTOCOL, .SQLITE_ABORT,
        ]
        return codes.contains(resultCode.primaryResultCode)
    }
}
