package import Essentials

/// A value for a `$1` of a statement.
package protocol SQLParameter: Sendable {
    /// Also that of NULL.
    static var sqlType: SQLType { get }
    var sqlValue: SQLValue { get }
}

/// What a column can be read as.
package protocol SQLResult: SQLParameter {
    /// Returns nil for what does not fit, as NULL where there must be a value.
    init?(sql value: SQLValue)
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

extension Int64: SQLElement, SQLResult {
    package static var sqlType: SQLType { .number }
    package var sqlValue: SQLValue { .number(self) }

    package init?(sql value: SQLValue) {
        guard case .number(let number) = value else { return nil }
        self = number
    }
}

extension Int: SQLResult {
    package static var sqlType: SQLType { .number }
    package var sqlValue: SQLValue { .number(Int64(self)) }

    package init?(sql value: SQLValue) {
        guard case .number(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLElement, SQLResult {
    package static var sqlType: SQLType { .flag }
    package var sqlValue: SQLValue { .flag(self) }

    package init?(sql value: SQLValue) {
        guard case .flag(let flag) = value else { return nil }
        self = flag
    }
}

extension String: SQLElement, SQLResult {
    package static var sqlType: SQLType { .text }
    package var sqlValue: SQLValue { .text(self) }

    package init?(sql value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

/// Identifiers are kept as text.
extension Identifier {
    package static var sqlType: SQLType { .text }
    package var sqlValue: SQLValue { .text(rawValue) }

    package init?(sql value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self.init(rawValue: text)
    }
}

extension AccountID: SQLResult {}

extension SessionID: SQLResult {}

extension TokenDigest: SQLParameter {
    package static var sqlType: SQLType { .bytes }
    package var sqlValue: SQLValue { .bytes(bytes) }
}

extension Optional: SQLParameter where Wrapped: SQLParameter {
    package static var sqlType: SQLType { Wrapped.sqlType }
    /// A key path would be made anew for each value.
    package var sqlValue: SQLValue { map { $0.sqlValue } ?? .null }
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

extension [UInt8]: SQLResult {
    package init?(sql value: SQLValue) {
        guard case .bytes(let bytes) = value else { return nil }
        self = bytes
    }
}

extension Optional: SQLResult where Wrapped: SQLResult {
    package init?(sql value: SQLValue) {
        if case .null = value {
            self = Wrapped?.none
        } else {
            guard let value = Wrapped(sql: value) else { return nil }
            self = Wrapped?.some(value)
        }
    }
}
