/// A store as a whole: how old its schema is, bringing it up to date, copying it, closing it. An
/// engine opens a store without changing it.
package protocol StoreLifecycle: Sendable {
    /// How its schema compares with the one this version knows. Changes nothing.
    func schemaAge() throws -> SchemaAge
    /// Whether no migration has ever run: an empty database, or one that a start did not finish.
    func isBlank() throws -> Bool
    /// What tells this database from another one at the same place; `nil` before the migration that
    /// gives it.
    func databaseID() throws -> String?
    /// Throws `StoreUnavailable` when a right is missing that migrations need. Changes nothing.
    func checkMayMigrate() throws
    /// What the migrations that are still to run will take. SQLite runs them on a copy, which it
    /// deletes; PostgreSQL estimates. Throws `StoreUnavailable` when one of them would fail, or
    /// `BackupFault` when the copy cannot be made.
    func migrationForecast() async throws -> MigrationForecast
    /// Brings the schema up to date; returns how many migrations ran. Throws when a newer version
    /// has been here.
    func migrate() throws -> Int
    /// Copies the store as it is at one moment into a new file (0600), while others go on reading
    /// and writing.
    ///
    /// The copy gets its name once it was opened, found sound and is on the disk. Throws
    /// `BackupFault`, `CancellationError` soon after it was cancelled, or `StoreUnavailable` when
    /// the store itself cannot be read.
    func backUp(to path: String) async throws -> BackupFacts
    /// Waits for what is running, and closes. Nothing may be called afterwards.
    func close() throws
}

/// How the schema of a database compares with the one this version knows.
package enum SchemaAge: Sendable, Equatable {
    case current
    /// That many migrations are still to run; all of them when the database is empty.
    case older(pending: Int)
    /// A newer version has been here.
    case newer
}

/// What bringing a database up to date will take.
package struct MigrationForecast: Sendable, Equatable {
    /// Of the migrations that are still to run, in their order.
    package let names: [String]
    /// That they may work on.
    package let rows: Int
    package let seconds: Double
    /// Whether they ran on a copy; otherwise the time is an upper bound by the number of rows.
    package let isMeasured: Bool

    package init(names: [String], rows: Int, seconds: Double, isMeasured: Bool) {
        (self.names, self.rows, self.seconds, self.isMeasured) = (names, rows, seconds, isMeasured)
    }
}

/// What a backup holds.
package struct BackupFacts: Sendable, Equatable {
    package let bytes: Int64
    package let accounts: Int

    package init(bytes: Int64, accounts: Int) {
        self.bytes = bytes
        self.accounts = accounts
    }
}

/// Why there is no backup. Nothing was left behind.
package struct BackupFault: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the copy is damaged, most likely because the store is.
    package let isDamage: Bool

    package init(_ description: String, isDamage: Bool = false) {
        (self.description, self.isDamage) = (description, isDamage)
    }
}
