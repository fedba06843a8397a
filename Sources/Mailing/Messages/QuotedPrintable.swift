import Essentials

/// Quoted-printable (RFC 2045, 6.7) of UTF-8 text: ASCII stays readable, no line is longer than 76
/// characters.
enum QuotedPrintable {
    /// Ends in CRLF unless empty; any line ending of `text` becomes CRLF.
    static func encode(_ text: String) -> String {
        // A CR alone ends a line too; between the two of CRLF there is none.
        var lines = text.textLines.flatMap { $0.parts(by: "\r") }
        if lines.last?.isEmpty == true { lines.removeLast() }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count + text.utf8.count / 8)
        for line in lines { append(line, to: &encoded) }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Reads what `encode` wrote, with LF line endings; a broken escape stays as it is.
    static func decode(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8).filter { $0 != UInt8(ascii: "\r") }[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), rest.first == UInt8(ascii: "\n") {
                rest.removeFirst()
            } else if byte == UInt8(ascii: "="), let escaped = Hex.byte(rest.prefix(2)) {
                bytes.append(escaped)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ line: Substring, to encoded: inout [UInt8]) {
        var units = EncodedUnits(line, encode: append)
        // A space at the end of a line is lost on the way unless it is escaped.
        units.escapeLastSpace()
        for (index, part) in LineFiller.lines(units, limit: 75).enumerated() {
            if index > 0 { encoded += "=\r\n".utf8 }
            encoded += part
        }
        encoded += "\r\n".utf8
    }

    private static func append(_ scalar: Unicode.Scalar, to units: inout EncodedUnits) {
        switch scalar {
        case " ", "\t", "!"..."<", ">"..."~": units.append(UInt8(ascii: scalar))
        default: units.append(escaping: scalar)
        }
    }
}
