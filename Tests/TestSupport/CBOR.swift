/// Writes CBOR for tests.
package enum CBOR {
    package static func head(_ kind: UInt8, _ value: Int) -> [UInt8] {
        switch value {
        case ..<24: [kind << 5 | UInt8(value)]
        case ..<256: [kind << 5 | 24, UInt8(value)]
        default: [kind << 5 | 25, UInt8(value >> 8), UInt8(value & 0xFF)]
        }
    }

    package static func integer(_ value: Int) -> [UInt8] { value < 0 ? head(1, -1 - value) : head(0, value) }
    package static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, bytes.count) + bytes }
    package static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + Array(text.utf8) }

    /// Members that are written already.
    package static func map(_ members: (key: [UInt8], value: [UInt8])...) -> [UInt8] {
        head(5, members.count) + members.flatMap { $0.key + $0.value }
    }
}
