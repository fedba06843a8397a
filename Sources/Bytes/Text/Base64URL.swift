import Foundation

/// Base64 with the URL-safe alphabet and no padding (RFC 4648 section 5).
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
    }

    /// Whether `decode` reads it; makes no bytes.
    package static func isCanonical(_ text: String) -> Bool {
        var (count, last) = (0, UInt8(0))
        for byte in text.utf8 {
            guard let digit = digit(byte) else { return false }
            (count, last) = (count + 1, digit)
        }
        // What does not fill a byte is zero.
        switch count % 4 {
        case 0: return true
        case 2: return last & 0b1111 == 0
        case 3: return last & 0b11 == 0
        default: return false
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
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
