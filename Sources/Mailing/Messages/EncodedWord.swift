import Essentials

/// Encoded words of RFC 2047 in the `Q` encoding, which keeps ASCII readable; each at most 62
/// characters.
enum EncodedWord {
    /// The words of a text, never cut inside a code point.
    static func encode(_ text: String) -> [String] {
        LineFiller.lines(EncodedUnits(text, encode: append), limit: 50).map { word in
            prefix + String(decoding: word, as: UTF8.self) + "?="
        }
    }

    /// Reads unfolded header text that `encode` or nobody encoded.
    static func decode(_ text: String) -> String {
        var result = ""
        var lastWasEncoded = false
        for piece in text.parts(by: " ") {
            let decoded = content(of: piece)
            // Space between two encoded words only separates them (RFC 2047, 6.2).
            if !result.isEmpty, !(lastWasEncoded && decoded != nil) { result += " " }
            result += decoded ?? String(piece)
            lastWasEncoded = decoded != nil
        }
        return result
    }

    private static let prefix = "=?utf-8?q?"

    private static func content(of word: Substring) -> String? {
        guard let inner = word.after(prefix)?.before("?=") else { return nil }
        return QuotedPrintable.decode(Base64.swapping(inner, "_", " "))
    }

    private static func append(_ scalar: Unicode.Scalar, to units: inout EncodedUnits) {
        // Inside a name only these may stand for themselves (RFC 2047, 5 (3)).
        switch scalar {
        case " ": units.append(UInt8(ascii: "_"))
        case "a"..."z", "A"..."Z", "0"..."9", "!", "*", "+", "-", "/": units.append(UInt8(ascii: scalar))
        default: units.append(escaping: scalar)
        }
    }
}
