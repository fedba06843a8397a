import Foundation
package import GRDB
package import VestibuleSQL

extension Database: SQLConnection {
    @discardableResult
    package func run(_ sql: String, _ parameters: [any SQLParameter]) throws -> Int {
        try cachedStatement(sql: SQLiteSpelling.of(sql).sql).execute(arguments: Self.arguments(parameters))
        return changesCount
    }

    package func one(_ sql: String, _ parameters: [any SQLParameter]) throws -> SQLiteRow? {
        try rows(sql, parameters) { try $0.next() }
    }

    package func all(_ sql: String, _ parameters: [any SQLParameter]) throws -> [SQLiteRow] {
        try rows(sql, parameters) { cursor in
            var rows: [SQLiteRow] = []
            while let row = try cursor.next() { rows.append(row) }
            return rows
        }
    }

    /// Runs at once: there is no round trip to save.
    package func later(_ sql: String, _ parameters: [any SQLParameter]) throws {
        try run(sql, parameters)
    }

    private func rows<Value>(
        _ sql: String, _ parameters: [any SQLParameter], _ take: (SQLiteRows) throws -> Value
    ) throws -> Value {
        let known = SQLiteSpelling.of(sql)
        let statement = try cachedStatement(sql: known.sql)
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: Self.arguments(parameters))
        return try take(SQLiteRows(cursor: cursor, columns: known.columns(statement)))
    }

    private static func arguments(_ parameters: [any SQLParameter]) throws -> StatementArguments {
        // Of `[DatabaseValue]`, GRDB would make the key path to each value anew each time.
        let values: [(any DatabaseValueConvertible)?] = try parameters.map { try $0.sqlValue.databaseValue() }
        return StatementArguments(values)
    }
}

/// What a statement answers, row by row.
private struct SQLiteRows {
    let cursor: RowCursor
    let columns: SQLColumns

    func next() throws -> SQLiteRow? {
        try cursor.next().map { SQLiteRow(columns: columns, values: Array($0.databaseValues)) }
    }
}

/// A row of an answer.
package struct SQLiteRow: SQLRow, Sendable {
    let columns: SQLColumns
    let values: [DatabaseValue]

    package func value(_ column: String, as type: SQLType) throws -> SQLValue {
        guard let index = columns.indices[column] else { throw SQLMismatch(column: column) }
        let value = values[index].sqlValue
        switch (value, type) {
        case (.null, _), (.number, .number), (.text, .text), (.bytes, .bytes): return value
        case (.number(let number), .flag): return .flag(number != 0)
        default: throw SQLMismatch(column: column)
        }
    }
}

/// As it was read, whatever its type: SQLite needs to know none for NULL.
extension DatabaseValue: SQLParameter {
    package static var sqlType: SQLType { .bytes }

    package var sqlValue: SQLValue {
        switch storage {
        case .int64(let number): .number(number)
        case .string(let text): .text(text)
        case .blob(let data): .bytes([UInt8](data))
        // No table holds numbers with a point.
        case .null, .double: .null
        }
    }
}

extension SQLValue {
    fileprivate func databaseValue() throws -> DatabaseValue {
        switch self {
        case .null: .null
        case .number(let number): number.databaseValue
        case .flag(let flag): flag.databaseValue
        case .text(let text): Self.kept(text).databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        case .array(_, let values): try Self.json(values).databaseValue
        }
    }

    private static func json(_ values: [SQLValue]) throws -> String {
        let texts = try values.map { value in
            guard case .text(let text) = value else { throw SQLMismatch(column: "array") }
            return text
        }
        return String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
    }
}
