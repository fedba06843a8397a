import Essentials
package import Foundation

/// A row of an answer.
package protocol SQLRow {
    /// Throws `SQLMismatch` when the statement names no such column, or it is of another type.
    func value(_ column: String, as type: SQLType) throws -> SQLValue
}

extension SQLRow {
    /// Throws `SQLMismatch` when the statement names no such column, or its type or a NULL does not
    /// fit.
    package subscript<Value: SQLResult>(_ column: String) -> Value {
        get throws {
            guard let value = Value(sql: try value(column, as: Value.sqlType)) else {
                throw SQLMismatch(column: column)
            }
            return value
        }
    }

    package func date(_ column: String) throws -> Date {
        Date(ms: try self[column])
    }

    package func dateIfAny(_ column: String) throws -> Date? {
        (try self[column] as Int64?).map(Date.init(ms:))
    }

    /// Returns nil for text that is no IP address.
    func ipAddress(_ column: String) throws -> IPAddress? {
        IPAddress(try self[column] as String)
    }

    package func bytes(_ column: String) throws -> [UInt8] {
        try self[column]
    }
}

/// The names of an answer's columns, shared by its rows.
package final class SQLColumns: Sendable {
    /// Of two with one name, the first.
    package let indices: [String: Int]

    package init(_ names: [String]) {
        indices = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// A value did not have the type that was expected of its column.
package struct SQLMismatch: Error, CustomStringConvertible {
    let column: String

    package init(column: String) {
        self.column = column
    }

    package var description: String { "the column \(column) is missing or of another type" }
}
