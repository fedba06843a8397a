import GRDB
import Vestibule

/// How the schema of a file compares with the one this version knows.
package enum SchemaAge: Sendable, Equatable {
    case current
    /// That many migrations are still to run; all of them when the file is empty.
    case older(pending: Int)
    /// A newer version has been here.
    case newer
}

extension SQLiteStore {
    /// Brings the schema up to date; returns how many migrations ran. Throws when a newer version has been here.
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
            throw StoreUnavailable("\(error)")
        }
    }

    /// What tells this database from another one at the same path; `nil` before the migration that gives it.
    package func databaseID() throws -> String? {
        try database.read { database in
            guard try database.tableExists("database_id") else { return nil }
            return try String.fetchOne(database, sql: "SELECT id FROM database_id")
        }
    }

    /// Whether no migration has ever run: an empty file, or one that a start did not finish.
    package func isBlank() throws -> Bool {
        try database.read { try Schema.migrator.appliedIdentifiers($0).isEmpty }
    }

    /// Looks, and changes nothing.
    package func schemaAge() throws -> SchemaAge {
        try database.read { database in
            let migrator = Schema.migrator
            guard try !migrator.hasBeenSuperseded(database) else { return .newer }
            let pending = migrator.migrations.count - (try migrator.appliedMigrations(database).count)
            return pending == 0 ? .current : .older(pending: pending)
        }
    }
}
