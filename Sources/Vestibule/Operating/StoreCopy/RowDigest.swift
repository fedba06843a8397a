import Crypto
import Essentials

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
