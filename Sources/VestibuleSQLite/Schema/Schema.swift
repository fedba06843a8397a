import GRDB

/// The numbered migrations, forward only. Times are milliseconds since 1970, digests and hashes are
/// blobs or PHC text.
enum Schema {
    /// From the oldest to the newest.
    static let migrations: [Migration] = [.first]

    static var migrator: DatabaseMigrator { migrator(migrations) }

    static func migrator(_ migrations: [Migration]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name) { database in
                for statement in migration.statements { try database.execute(sql: statement) }
            }
        }
        return migrator
    }
}
