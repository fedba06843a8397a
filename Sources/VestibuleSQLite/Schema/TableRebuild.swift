import GRDB
import Vestibule

/// A table that takes the place of the one of that name, with its rows, indexes and triggers: the
/// way to add a CHECK (SQLite, "Making Other Kinds Of Table Schema Changes"). Foreign keys are off
/// meanwhile; the migrator checks them before the commit.
struct TableRebuild: Sendable {
    /// What becomes of rows that break a rule of the new table.
    enum UnfitRow: Sendable {
        /// They go: all it costs is that somebody signs in again or starts over.
        case dropped
        /// They stop the migration.
        case refused
    }

    let table: String
    let unfit: UnfitRow
    /// What follows the name in CREATE TABLE.
    let definition: String

    init(_ table: String, unfit: UnfitRow, _ definition: String) {
        self.table = table
        self.unfit = unfit
        self.definition = definition
    }

    private var draft: String { "rebuilt_\(table)" }

    /// Throws `UnfitRows` when there are some that are refused.
    func run(_ database: Database) throws {
        // Indexes of UNIQUE and PRIMARY KEY come with the definition and have no text.
        let belongings = try String.fetchAll(
            database,
            sql: "SELECT sql FROM main.sqlite_schema WHERE tbl_name = ? AND type <> 'table' AND sql IS NOT NULL",
            arguments: [table])
        try database.execute(sql: "CREATE TABLE \(draft) \(definition)")
        let columns = try copiedColumns(database).joined(separator: ", ")
        let copy = "INTO \(draft) (\(columns)) SELECT \(columns) FROM \(table)"
        try database.execute(sql: "INSERT OR IGNORE \(copy) ORDER BY 1")
        if unfit == .refused { try refuseUnfit(database, copied: database.changesCount, copy) }
        try database.execute(sql: "DROP TABLE \(table); ALTER TABLE \(draft) RENAME TO \(table)")
        for sql in belongings { try database.execute(sql: sql) }
    }

    /// All columns; before them the row's number where there is one, which tells what is newer.
    private func copiedColumns(_ database: Database) throws -> [String] {
        let hasRowID = try Bool.fetchOne(
            database, sql: "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", arguments: [table]
        )
        // An INTEGER PRIMARY KEY is that number.
        let isNumbered = try hasRowID == true && database.primaryKey(table).rowIDColumn == nil
        return try (isNumbered ? ["rowid"] : []) + database.columns(in: table).map(\.name)
    }

    private func refuseUnfit(_ database: Database, copied: Int, _ copy: String) throws {
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
        guard copied < count, let key = try database.primaryKey(table).columns.first else { return }
        let first = try String.fetchOne(
            database,
            sql: "SELECT quote(\(key)) FROM \(table) WHERE \(key) NOT IN (SELECT \(key) FROM \(draft)) LIMIT 1")
        do {
            try database.execute(sql: "INSERT \(copy) WHERE \(key) = \(first ?? "NULL")")
        } catch let error as DatabaseError {
            throw UnfitRows(
                table: table, count: count - copied, first: "\(key) = \(first ?? "NULL")",
                rule: error.message ?? "\(error.resultCode)")
        }
    }
}
