import GRDB
package import Vestibule

extension SQLiteStore {
    package func migrate() throws -> Int {
        do {
            switch try schemaAge() {
            case .current: return 0
            case .newer: throw StoreUnavailable("the file was written by a newer version of Vestibule")
            case .older(let pending):
                defer { watch.schemaChanged() }
                try Schema.migrator.migrate(database)
                return pending
            }
        } catch let error as DatabaseError {
            if let file, error.meansFullDisk(of: file.path) {
                throw StoreUnavailable("\(file.path): the disk is full", .fullDisk)
            }
            throw StoreUnavailable("\(error)", file.flatMap { error.cause(at: $0.path) })
        }
    }

    package func databaseID() throws -> String? {
        try readingSchema { database in
            guard try database.tableExists("database_id") else { return nil }
            return try String.fetchOne(database, sql: "SELECT id FROM database_id")
        }
    }

    /// Throws `StoreUnavailable` for a file in which another program keeps its tables. Before a
    /// connection that puts it into WAL mode; but this one may write, as only such a one rolls back
    /// what a power cut has interrupted.
    static func refuseForeign(_ file: DatabaseQueue) throws {
        guard let name = try file.read(foreignTable) else { return }
        throw StoreUnavailable("\(file.path) holds tables of another program, such as \(name)")
    }

    private static func foreignTable(_ database: Database) throws -> String? {
        let ours = Set(Schema.migrator.migrations)
        guard try Schema.migrator.appliedIdentifiers(database).isDisjoint(with: ours) else { return nil }
        return try String.fetchOne(
            database,
            sql: """
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> 'grdb_migrations' LIMIT 1
                """)
    }

    package func isBlank() throws -> Bool {
        try readingSchema { try Schema.migrator.appliedIdentifiers($0).isEmpty }
    }

    package func schemaAge() throws -> SchemaAge {
        try readingSchema { database in
            let migrator = Schema.migrator
            guard try !migrator.hasBeenSuperseded(database) else { return .newer }
            let pending = migrator.migrations.count - (try migrator.appliedMigrations(database).count)
            return pending == 0 ? .current : .older(pending: pending)
        }
    }

    /// Reads what depends on which tables there are now.
    private func readingSchema<Value>(_ work: (Database) throws -> Value) throws -> Value {
        try reading.read { database in
            // What another connection has made since is not in GRDB's own list of tables.
            database.clearSchemaCache()
            return try work(database)
        }
    }
}
