import Foundation

/// JSON for cookies, which hold 4,096 bytes with name and attributes (RFC 6265 section 6.1).
package enum CompactJSON {
    /// Without the escapes that JSON only permits.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return [UInt8](try encoder.encode(value))
    }
}
