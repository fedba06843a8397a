import GRDB
package import Vestibule
import VestibuleSQL

extension SQLiteStore {
    /// Does nothing: the forecast runs the migrations on a copy.
    package func checkMayMigrate() {}

    package func migrationForecast() async throws -> MigrationForecast {
        guard let path = file?.path else { throw StoreUnavailable("a store in memory is always up to date") }
        let stop = BackupStop()
        return try await withTaskCancellationHandler {
            try await read { try Self.rehearse($0, BackupFile(path: "\(path).upgrade-check"), stop) }
        } onCancel: {
            stop.pull()
        }
    }

    /// Does on a copy, which nobody keeps, what a start does: copying, checking, migrating.
    private static func rehearse(
        _ source: Database, _ file: BackupFile, _ stop: BackupStop
    ) throws -> MigrationForecast {
        defer { file.discard() }
        let began = ContinuousClock.now
        let applied = try Schema.migrator.appliedIdentifiers(source)
        do {
            try copy(source, to: file.draft, stop)
            _ = try checked(file.draft, stop)
            let copy = try DatabaseQueue(path: file.draft)
            defer { try? copy.close() }
            let rows = try copy.read(rows)
            try stop.breaking(copy) { try Schema.migrator.migrate(copy) }
            return MigrationForecast(
                names: Schema.migrations.filter { !applied.contains($0.identifier) }.map(\.name), rows: rows,
                seconds: (ContinuousClock.now - began) / .seconds(1), isMeasured: true)
        } catch let error as DatabaseError {
            try stop.check()
            throw StoreUnavailable("\(error)")
        }
    }

    /// Of all tables.
    private static func rows(_ database: Database) throws -> Int {
        let tables = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        return try tables.reduce(0) { $0 + (try Int.fetchOne(database, sql: "SELECT count(*) FROM \"\($1)\"") ?? 0) }
    }
}
