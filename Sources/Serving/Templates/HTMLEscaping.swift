import Mustache

/// Escapes values for HTML, byte by byte: what stands beside a `<` never hides it. Mustache's own
/// type goes by `Character`, for which `<` and a mark behind it is another letter.
struct HTMLEscaping: MustacheContentType {
    /// Begins every template that is HTML: partials too, as each starts again with Mustache's own
    /// type.
    static let pragma: String = {
        MustacheContentTypes.register(HTMLEscaping(), named: "SCALARS")
        return "{{% CONTENT_TYPE:SCALARS}}\n"
    }()

    func escapeText(_ text: String) -> String {
        guard text.utf8.contains(where: { Self.entity($0) != nil }) else { return text }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            if let entity = Self.entity(byte) {
                entity.withUTF8Buffer { escaped.append(contentsOf: $0) }
            } else {
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// What text and quoted attributes may not hold as it is; templates have no other attributes.
    private static func entity(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
