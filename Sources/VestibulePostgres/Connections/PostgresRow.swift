package import VestibuleSQL

/// A row of an answer.
package struct PostgresRow: SQLRow, Sendable {
    let columns: SQLColumns
    /// In the binary form of each type; `nil` is NULL.
    let values: [[UInt8]?]

    package func value(_ column: String, as type: SQLType) throws -> SQLValue {
        guard let index = columns.indices[column] else { throw SQLMismatch(column: column) }
        guard let bytes = values[index] else { return .null }
        guard let value = SQLValue(postgres: bytes, as: type) else { throw SQLMismatch(column: column) }
        return value
    }
}

extension SQLValue {
    /// From the binary form of the type. Returns nil when the bytes do not fit.
    fileprivate init?(postgres bytes: [UInt8], as type: SQLType) {
        switch (type, bytes.count) {
        case (.number, 8): self = .number(bytes.reduce(0) { $0 << 8 | Int64($1) })
        case (.number, 4): self = .number(Int64(Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) })))
        case (.number, 2): self = .number(Int64(Int16(bitPattern: bytes.reduce(0) { $0 << 8 | UInt16($1) })))
        case (.flag, 1): self = .flag(bytes[0] != 0)
        case (.text, _):
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            self = .text(text)
        case (.bytes, _): self = .bytes(bytes)
        default: return nil
        }
    }
}
