import Foundation

extension String {
    /// The text in NFC (Unicode Standard Annex 15).
    var composed: String {
        // ASCII is its own NFC, and Foundation takes microseconds to find that out.
        isASCII ? self : precomposedStringWithCanonicalMapping
    }

    /// The text without white space around it, in NFC.
    var trimmedAndComposed: String {
        guard isASCII else {
            return trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        }
        func isInk(_ byte: UInt8) -> Bool { byte != 0x20 && !(0x09...0x0D).contains(byte) }
        guard let first = utf8.firstIndex(where: isInk), let last = utf8.lastIndex(where: isInk) else { return "" }
        return String(self[first...last])
    }

    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
