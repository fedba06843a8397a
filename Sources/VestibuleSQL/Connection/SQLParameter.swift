package import Essentials
import Vestibule

/// A value for a `$1` of a statement.
package protocol SQLParameter: Sendable {
    /// Also that of NULL.
    static var sqlType: SQLType { get }
    var sqlValue: SQLValue { get }
}

/// A value that can stand in an array.
package protocol SQLElement: Sendable {
    static var sqlArrayType: SQLType { get }
    static func sqlArray(of values: [Self]) -> SQLValue
}

extension SQLElement where Self: SQLParameter {
    package static var sqlArrayType: SQLType { .array(sqlType) }
    package static func sqlArray(of values: [Self]) -> SQLValue { .array(of: sqlType, values.map(\.sqlValue)) }
}

extension Int64: SQLParameter, SQLElement {
    package static var sqlType: SQLType { .number }
    package var sqlValue: SQLValue { .number(self) }
}

extension Int: SQLParameter {
    package static var sqlType: SQLType { .number }
    package var sqlValue: SQLValue { .number(Int64(self)) }
}

extension Bool: SQLParameter, SQLElement {
    package static var sqlType: SQLType { .flag }
    package var sqlValue: SQLValue { .flag(self) }
}

extension String: SQLParameter, SQLElement {
    package static var sqlType: SQLType { .text }
    package var sqlValue: SQLValue { .text(self) }
}

extension AccountID: SQLParameter {
    package static var sqlType: SQLType { .text }
    package var sqlValue: SQLValue { .text(rawValue) }
}

extension SessionID: SQLParameter {
    package static var sqlType: SQLType { .text }
    package var sqlValue: SQLValue { .text(rawValue) }
}

extension TokenDigest: SQLParameter {
    package static var sqlType: SQLType { .bytes }
    package var sqlValue: SQLValue { .bytes(bytes) }
}

extension Optional: SQLParameter where Wrapped: SQLParameter {
    package static var sqlType: SQLType { Wrapped.sqlType }
    package var sqlValue: SQLValue { map(\.sqlValue) ?? .null }
}

extension Optional: SQLElement where Wrapped: SQLParameter & SQLElement {}

/// `[UInt8]` is one value; an array of anything else is an array there, too.
extension Array: SQLParameter where Element: SQLElement {
    package static var sqlType: SQLType { Element.sqlArrayType }
    package var sqlValue: SQLValue { Element.sqlArray(of: self) }
}

extension UInt8: SQLElement {
    package static var sqlArrayType: SQLType { .bytes }
    package static func sqlArray(of values: [UInt8]) -> SQLValue { .bytes(values) }
}

extension Array: SQLElement where Element == UInt8 {}
