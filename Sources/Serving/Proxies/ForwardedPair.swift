import Essentials

/// One `name=value` of a `Forwarded` element (RFC 7239 section 4): the name in lower case, the
/// value unquoted.
struct ForwardedPair {
    let name: String
    let value: String

    /// Returns nil unless the name is a token and the value a token or a quoted string.
    init?(_ text: String) {
        let parts = text.parts(by: "=", atMost: 2)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(Self.isToken),
            let value = Self.unquoted(parts[1]) ?? Self.bare(parts[1])
        else { return nil }
        name = parts[0].asciiLowercased
        self.value = value
    }

    /// A token; with a colon and brackets too, as some proxies write addresses with ports unquoted.
    private static func bare(_ text: Substring) -> String? {
        !text.isEmpty && text.utf8.allSatisfy { isToken($0) || ":[]".utf8.contains($0) } ? String(text) : nil
    }

    /// The text of a quoted string, its escapes undone (RFC 9110 section 5.6.4).
    private static func unquoted(_ text: Substring) -> String? {
        let quote = UInt8(ascii: "\"")
        guard text.utf8.count >= 2, text.utf8.first == quote, text.utf8.last == quote else { return nil }
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09, isEscaped || byte != quote else { return nil }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            if !isEscaped { bytes.append(byte) }
        }
        return isEscaped ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Whether the byte may stand in a token (RFC 9110 section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
