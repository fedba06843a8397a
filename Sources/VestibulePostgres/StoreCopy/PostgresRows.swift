import Vestibule
import VestibuleSQL

/// The rows of a table's cursor.
struct PostgresRows: CopiedRows {
    let connection: PostgresConnection
    let table: CopiedTable
    let kinds: [PostgresKind]

    static func cursor(_ table: CopiedTable) -> String { "copied_\(table.name)" }

    mutating func next(_ count: Int) throws -> [CopiedRow] {
        try connection.all("FETCH \(count) FROM \(Self.cursor(table))").map { row in
            try zip(table.columns, kinds).map { column, kind in try kind.value(row, column) }
        }
    }
}

/// What a column holds, by its name in PostgreSQL's catalogue.
enum PostgresKind: String {
    case number = "bigint"
    case flag = "boolean"
    case text
    case bytes = "bytea"

    func value(_ row: PostgresRow, _ column: String) throws -> CopiedValue {
        switch self {
        case .number: (try row[column] as Int64?).map(CopiedValue.number) ?? .none
        case .flag: (try row[column] as Bool?).map { .number($0 ? 1 : 0) } ?? .none
        case .text: (try row[column] as String?).map(CopiedValue.text) ?? .none
        case .bytes: (try row[column] as [UInt8]?).map(CopiedValue.bytes) ?? .none
        }
    }

    /// One column of many rows. A value of another kind becomes NULL, which the comparison finds.
    func array(of values: [CopiedValue]) -> any SQLParameter {
        switch self {
        case .number: values.map { if case .number(let number) = $0 { number } else { nil as Int64? } }
        case .flag: values.map { if case .number(let number) = $0 { number != 0 } else { nil as Bool? } }
        case .text: values.map { if case .text(let text) = $0 { text } else { nil as String? } }
        case .bytes: values.map { if case .bytes(let bytes) = $0 { bytes } else { nil as [UInt8]? } }
        }
    }
}
