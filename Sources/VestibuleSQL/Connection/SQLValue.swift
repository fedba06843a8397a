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
