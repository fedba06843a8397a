import Foundation

/// JSON in few bytes: cookies hold 4,096 with name and attributes (RFC 6265 section 6.1).
package enum CompactJSON {
    /// Without the escapes that JSON only permits; `isSorted` by the names of members.
    package static func encode(_ value: some Encodable, isSorted: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = isSorted ? [.withoutEscapingSlashes, .sortedKeys] : .withoutEscapingSlashes
        return [UInt8](try encoder.encode(value))
    }
}
