extension JSONParser {
    /// A string with its escapes undone. The bytes are known to be UTF-8, and so is what lies
    /// between ASCII bytes.
    package mutating func string() throws(Fault) -> String {
        var text: [UInt8] = []
        try take("\"")
        // Where the bytes begin that are not in the text yet.
        var start = position
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw broken }
            position += 1
            guard byte == UInt8(ascii: "\\") else { continue }
            text += bytes[start..<position - 1]
            text += String(try escaped()).utf8
            start = position
        }
        let last = bytes[start..<position]
        try take("\"")
        let string = String(decoding: text.isEmpty ? last : text[...] + last, as: UTF8.self)
        guard string.isStreamSafe else { throw Fault(reason: "The body has more than 30 combining marks in a row.") }
        return string
    }

    /// What follows a backslash.
    private mutating func escaped() throws(Fault) -> Unicode.Scalar {
        guard let byte = next else { throw broken }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try scalar()
        default: throw broken
        }
    }

    /// Four hexadecimal digits, or a surrogate pair of them.
    private mutating func scalar() throws(Fault) -> Unicode.Scalar {
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard (0xD800..<0xDC00).contains(unit) else { throw broken }
        try take("\\u")
        let low = try codeUnit()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw broken }
        return scalar
    }

    private mutating func codeUnit() throws(Fault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Hex.value(byte) else { throw broken }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}
