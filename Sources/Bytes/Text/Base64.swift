import Foundation

/// The spellings of base64 (RFC 4648 section 4) that stored hashes use.
package enum Base64 {
    /// As the standard has it, with padding: Django, Firebase.
    case padded
    /// Without padding: PHC strings.
    case bare
    /// Without padding and with a dot for the plus sign: passlib's PBKDF2.
    case dotted

    /// Returns `nil` for anything but the one canonical spelling.
    package func decode(_ text: Substring) -> [UInt8]? {
        let standard = self == .dotted ? Self.swapping(text, ".", "+") : String(text)
        let padding = self == .padded ? 0 : (4 - standard.utf8.count % 4) % 4
        guard let data = Data(base64Encoded: standard + String(repeating: "=", count: padding)),
            text.isExactly(encode([UInt8](data)))
        else { return nil }
        return [UInt8](data)
    }

    package func encode(_ bytes: [UInt8]) -> String {
        let standard = Data(bytes).base64EncodedString()
        if self == .padded { return standard }
        let bare = standard.parts(by: "=", atMost: 2)[0]
        return self == .dotted ? Self.swapping(bare, "+", ".") : String(bare)
    }

    /// The text with one ASCII character in the place of another.
    package static func swapping(_ text: some StringProtocol, _ old: Unicode.Scalar, _ new: Unicode.Scalar) -> String {
        String(decoding: text.utf8.map { $0 == UInt8(ascii: old) ? UInt8(ascii: new) : $0 }, as: UTF8.self)
    }
}
