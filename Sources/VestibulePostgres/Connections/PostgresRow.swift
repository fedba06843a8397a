import Essentials
import Foundation
import Vestibule

/// A row of an answer.
struct PostgresRow: Sendable {
    let columns: PostgresColumns
    /// In the binary form of each type; `nil` is NULL.
    let values: [[UInt8]?]

    /// Throws `PostgresMismatch` when the statement names no such column, or its type or a NULL
    /// does not fit.
    subscript<Value: PostgresResult>(_ column: String) -> Value {
        get throws {
            guard let index = columns.indices[column], let value = Value(postgres: values[index]) else {
                throw PostgresMismatch(column: column)
            }
            return value
        }
    }

    func has(_ column: String) -> Bool { columns.indices[column] != nil }

    func date(_ column: String) throws -> Date {
        Date(ms: try self[column])
    }

    func dateIfAny(_ column: String) throws -> Date? {
        (try self[column] as Int64?).map(Date.init(ms:))
    }

    /// Returns nil for text that is no IP address.
    func ipAddress(_ column: String) throws -> IPAddress? {
        IPAddress(try self[column] as String)
    }

    func bytes(_ column: String) throws -> [UInt8] {
        try self[column]
    }
}

/// The names of an answer's columns, shared by its rows.
final class PostgresColumns: Sendable {
    let indices: [String: Int]

    init(_ names: [String]) {
        indices = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// A value did not have the type that was expected of its column.
struct PostgresMismatch: Error, CustomStringConvertible {
    let column: String

    var description: String { "the column \(column) is missing or of another type" }
}

/// What a column can be read as, from the binary form of its type.
protocol PostgresResult {
    /// Returns nil when the bytes do not fit; `nil` bytes are NULL.
    init?(postgres bytes: [UInt8]?)
}

extension Int64: PostgresResult {
    /// bigint, integer or smallint.
    init?(postgres bytes: [UInt8]?) {
        guard let bytes else { return nil }
        switch bytes.count {
        case 8: self = bytes.reduce(0) { $0 << 8 | Int64($1) }
        case 4: self = Int64(Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) }))
        case 2: self = Int64(Int16(bitPattern: bytes.reduce(0) { $0 << 8 | UInt16($1) }))
        default: return nil
        }
    }
}

extension Int: PostgresResult {
    init?(postgres bytes: [UInt8]?) {
        guard let value = Int64(postgres: bytes) else { return nil }
        self = Int(value)
    }
}

extension Bool: PostgresResult {
    init?(postgres bytes: [UInt8]?) {
        guard let bytes, bytes.count == 1 else { return nil }
        self = bytes[0] != 0
    }
}

extension String: PostgresResult {
    init?(postgres bytes: [UInt8]?) {
        guard let bytes else { return nil }
        self.init(validating: bytes, as: UTF8.self)
    }
}

extension [UInt8]: PostgresResult {
    init?(postgres bytes: [UInt8]?) {
        guard let bytes else { return nil }
        self = bytes
    }
}

extension AccountID: PostgresResult {
    init?(postgres bytes: [UInt8]?) {
        guard let text = String(postgres: bytes) else { return nil }
        self.init(rawValue: text)
    }
}

extension SessionID: PostgresResult {
    init?(postgres bytes: [UInt8]?) {
        guard let text = String(postgres: bytes) else { return nil }
        self.init(rawValue: text)
    }
}

extension Optional: PostgresResult where Wrapped: PostgresResult {
    init?(postgres bytes: [UInt8]?) {
        guard let bytes else {
            self = Wrapped?.none
            return
        }
        guard let value = Wrapped(postgres: bytes) else { return nil }
        self = Wrapped?.some(value)
    }
}
