/// The kind of a parameter or a column.
package indirect enum SQLType: Sendable {
    case number, flag, text, bytes
    /// Of that kind, in one dimension.
    case array(SQLType)
}

/// The value of a parameter or a column.
package enum SQLValue: Sendable {
    case null
    case number(Int64)
    case flag(Bool)
    case text(String)
    case bytes([UInt8])
    case array(of: SQLType, [SQLValue])
}

extension SQLValue {
    /// A text as engines keep it: PostgreSQL takes no NUL, and for SQLite the text would end there.
    /// U+FFFD stands in its place.
    package static func kept(_ text: String) -> String {
        // Characters: a NUL is never part of another one.
        text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
    }
}
