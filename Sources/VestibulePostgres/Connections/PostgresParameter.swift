import Essentials
import Vestibule

/// A value for a `$1` of a statement, sent in the binary form of its type.
protocol PostgresParameter: Sendable {
    /// The number of its type in PostgreSQL's catalogue.
    static var postgresType: UInt32 { get }
    /// `nil` is NULL.
    var postgresBytes: [UInt8]? { get }
}

/// A value that can stand in an array: `= ANY ($1)`, `unnest($1)`.
protocol PostgresElement: Sendable {
    static var postgresArrayType: UInt32 { get }
    static func postgresBytes(of values: [Self]) -> [UInt8]
}

extension Int64: PostgresParameter {
    static var postgresType: UInt32 { 20 }
    var postgresBytes: [UInt8]? { bigEndianBytes }
}

extension Int: PostgresParameter {
    static var postgresType: UInt32 { Int64.postgresType }
    var postgresBytes: [UInt8]? { Int64(self).postgresBytes }
}

extension Bool: PostgresParameter {
    static var postgresType: UInt32 { 16 }
    var postgresBytes: [UInt8]? { [self ? 1 : 0] }
}

extension String: PostgresParameter {
    static var postgresType: UInt32 { 25 }
    /// PostgreSQL keeps no NUL in a text: it is sent as U+FFFD.
    var postgresBytes: [UInt8]? {
        utf8.contains(0) ? Array(replacing("\0", with: "\u{FFFD}").utf8) : Array(utf8)
    }
}

extension AccountID: PostgresParameter {
    static var postgresType: UInt32 { String.postgresType }
    var postgresBytes: [UInt8]? { rawValue.postgresBytes }
}

extension SessionID: PostgresParameter {
    static var postgresType: UInt32 { String.postgresType }
    var postgresBytes: [UInt8]? { rawValue.postgresBytes }
}

extension TokenDigest: PostgresParameter {
    static var postgresType: UInt32 { [UInt8].postgresType }
    var postgresBytes: [UInt8]? { bytes }
}

extension Optional: PostgresParameter where Wrapped: PostgresParameter {
    static var postgresType: UInt32 { Wrapped.postgresType }
    var postgresBytes: [UInt8]? { flatMap { $0.postgresBytes } }
}

/// `[UInt8]` is a bytea; an array of anything else is an array there, too.
extension Array: PostgresParameter where Element: PostgresElement {
    static var postgresType: UInt32 { Element.postgresArrayType }
    var postgresBytes: [UInt8]? { Element.postgresBytes(of: self) }
}

extension UInt8: PostgresElement {
    static var postgresArrayType: UInt32 { 17 }
    static func postgresBytes(of values: [UInt8]) -> [UInt8] { values }
}

extension String: PostgresElement {
    static var postgresArrayType: UInt32 { 1009 }
    static func postgresBytes(of values: [String]) -> [UInt8] { arrayBytes(of: values) }
}

extension Int64: PostgresElement {
    static var postgresArrayType: UInt32 { 1016 }
    static func postgresBytes(of values: [Int64]) -> [UInt8] { arrayBytes(of: values) }
}

extension Bool: PostgresElement {
    static var postgresArrayType: UInt32 { 1000 }
    static func postgresBytes(of values: [Bool]) -> [UInt8] { arrayBytes(of: values) }
}

extension Array: PostgresElement where Element == UInt8 {
    static var postgresArrayType: UInt32 { 1001 }
    static func postgresBytes(of values: [[UInt8]]) -> [UInt8] { arrayBytes(of: values) }
}

extension Optional: PostgresElement where Wrapped: PostgresParameter & PostgresElement {
    static var postgresArrayType: UInt32 { Wrapped.postgresArrayType }
    static func postgresBytes(of values: [Wrapped?]) -> [UInt8] { arrayBytes(of: values) }
}

/// The binary form of an array of one dimension (`array_send` of PostgreSQL).
private func arrayBytes<Value: PostgresParameter>(of values: [Value]) -> [UInt8] {
    let elements = values.map { $0.postgresBytes }
    var bytes = Int32(values.isEmpty ? 0 : 1).bigEndianBytes
    bytes += Int32(elements.contains(where: { $0 == nil }) ? 1 : 0).bigEndianBytes
    bytes += Value.postgresType.bigEndianBytes
    guard !values.isEmpty else { return bytes }
    bytes += Int32(values.count).bigEndianBytes + Int32(1).bigEndianBytes
    for element in elements {
        bytes += Int32(element?.count ?? -1).bigEndianBytes + (element ?? [])
    }
    return bytes
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
