import Foundation
import GRDB
package import Vestibule

extension SQLiteStore {
    package func reading<Value>(_ work: (any TableReader) throws -> Value) throws -> Value {
        try database.read { try work(SQLiteTables(database: $0)) }
    }

    package func writing<Value>(_ work: (any TableWriter) throws -> Value) throws -> Value {
        defer { watch.schemaChanged() }
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA main.cache_size = -\(Self.bulkCacheKiB)") }
        return try database.write { try work(SQLiteTables(database: $0)) }
    }
}

/// The tables as one transaction sees them.
private struct SQLiteTables: TableWriter {
    let database: Database

    func tables() throws -> [CopiedTable] {
        try CopiedTable.names.map { name in
            CopiedTable(
                name: name, columns: try database.columns(in: name).map(\.name),
                key: try database.primaryKey(name).columns)
        }
    }

    func count(_ table: CopiedTable) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.name)") ?? 0
    }

    func rows(of table: CopiedTable) throws -> any CopiedRows {
        let order = CopiedTable.ordered.contains(table.name) ? ["rowid"] : table.key
        return SQLiteRows(
            table: table,
            cursor: try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name)
                    ORDER BY \(order.joined(separator: ", "))
                    """))
    }

    func insert(_ rows: [CopiedRow], into table: CopiedTable) throws {
        let marks = repeatElement("?", count: table.columns.count).joined(separator: ", ")
        let statement = try database.cachedStatement(
            sql: "INSERT INTO \(table.name) (\(table.columns.joined(separator: ", "))) VALUES (\(marks))")
        for row in rows { try statement.execute(arguments: StatementArguments(row.map(\.databaseValue))) }
    }

    func deleteAll(of table: CopiedTable) throws {
        try database.execute(sql: "DELETE FROM \(table.name)")
    }
}

private struct SQLiteRows: CopiedRows {
    let table: CopiedTable
    let cursor: RowCursor

    mutating func next(_ count: Int) throws -> [CopiedRow] {
        var rows: [CopiedRow] = []
        while rows.count < count, let row = try cursor.next() {
            let values: CopiedRow = row.databaseValues.map(CopiedValue.init)
            for (column, value) in values.enumerated() {
                // GRDB reads text as far as its first NUL, and puts U+FFFD for invalid UTF-8.
                guard case .text(let text) = value, try !row.withUnsafeData(atIndex: column, { $0 == Data(text.utf8) })
                else { continue }
                throw StoreCopy.Fault.holdsBadText(table: table.name, key: table.named(values))
            }
            rows.append(values)
        }
        return rows
    }
}

extension CopiedValue {
    fileprivate init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .none
            case .int64(let number): .number(number)
            case .double(let number): .number(Int64(number))
            case .string(let text): .text(text)
            case .blob(let data): .bytes([UInt8](data))
            }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .none: .null
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }
}
