package import Essentials
package import Foundation
package import GRDB
import Vestibule

extension Row {
    package func date(_ column: String) -> Date {
        Date(ms: self[column])
    }

    func dateIfAny(_ column: String) -> Date? {
        (self[column] as Int64?).map(Date.init(ms:))
    }

    /// Returns nil for text that is no IP address.
    func ipAddress(_ column: String) -> IPAddress? {
        IPAddress(self[column] as String)
    }

    package func bytes(_ column: String) -> [UInt8] {
        [UInt8](self[column] as Data)
    }
}

extension [UInt8] {
    var data: Data { Data(self) }
}

extension Database {
    /// Executes a statement that is prepared once a connection.
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension AccountID: DatabaseValueConvertible {}
extension SessionID: DatabaseValueConvertible {}
