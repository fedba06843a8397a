import Crypto
import Essentials

/// The store's part of moving everything to another engine. Everything here waits, on the thread of
/// the caller.
package protocol CopyStore: Sendable {
    /// Works with the store as it is at one moment, while others go on writing.
    func reading<Value>(_ work: (any TableReader) throws -> Value) throws -> Value
    /// Works in one transaction, which is undone when the work throws.
    func writing<Value>(_ work: (any TableWriter) throws -> Value) throws -> Value
}

/// Reads whole tables.
package protocol TableReader {
    /// In the order of `CopiedTable.names`.
    func tables() throws -> [CopiedTable]
    func count(_ table: CopiedTable) throws -> Int
    /// Every row once: by key, or in the order in which they were made where that shows. The next
    /// stream ends the one before.
    func rows(of table: CopiedTable) throws -> any CopiedRows
}

/// Reads and fills tables.
package protocol TableWriter: TableReader {
    func insert(_ rows: [CopiedRow], into table: CopiedTable) throws
    func deleteAll(of table: CopiedTable) throws
}

/// Rows one after the other, of a table that may not fit into memory.
package protocol CopiedRows {
    /// At most that many; none at the end.
    mutating func next(_ count: Int) throws -> [CopiedRow]
}

/// SHA-256 over rows, each value with its kind and length, so that no two lists of rows are alike.
struct RowDigest {
    private var hash = SHA256()

    mutating func add(_ row: CopiedRow) {
        var bytes: [UInt8] = []
        for value in row {
            switch value {
            case .none: bytes.append(0)
            case .number(let number): bytes += [1] + Self.bytes(number)
            case .text(let text): bytes += [2] + Self.bytes(Int64(text.utf8.count)) + text.utf8
            case .bytes(let data): bytes += [3] + Self.bytes(Int64(data.count)) + data
            }
        }
        hash.update(data: bytes)
    }

    /// Hexadecimal.
    var text: String { Hex.text(hash.finalize()) }

    private static func bytes(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}
