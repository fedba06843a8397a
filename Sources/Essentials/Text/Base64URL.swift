import Foundation

/// Base64 with the URL-safe alphabet and no padding (RFC 4648 section 5).
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
    }

    /// Returns `nil` for anything but the one canonical spelling.
    package static func decode(_ text: String) -> [UInt8]? {
        var base64 = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        base64 += Array(repeating: UInt8(ascii: "="), count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(base64)), text.isExactly(encode(data)) else { return nil }
        return [UInt8](data)
    }
}
