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
            throw StoreUnavailable("\(error)")
        }
    }

    package func databaseID() throws -> String? {
        try database.read { database in
            guard try database.tableExists("database_id") else { return nil }
            return try String.fetchOne(database, sql: "SELECT id FROM database_id")
        }
    }

    package func isBlank() throws -> Bool {
        try database.read { try Schema.migrator.appliedIdentifiers($0).isEmpty }
    }

    package func schemaAge() throws -> SchemaAge {
        try database.read { database in
            let migrator = Schema.migrator
            guard try !migrator.hasBeenSuperseded(database) else { return .newer }
            let pending = migrator.migrations.count - (try migrator.appliedMigrations(database).count)
            return pending == 0 ? .current : .older(pending: pending)
        }
    }
}
