/// Text from outside is cut and compared by its bytes. By `Character` a mark behind a comma, a
/// letter that joins the next one before it or a joiner between would hide it; and `==` takes other
/// spellings of a text for the same.
///
/// Inlinable: every request is read with these, from another module.
extension StringProtocol {
    /// The parts between an ASCII separator, the empty ones among them.
    @inlinable package func parts(by separator: Unicode.Scalar, atMost: Int = .max) -> [Substring] {
        let text = Substring(self)
        return text.utf8.split(
            separator: UInt8(ascii: separator), maxSplits: atMost - 1, omittingEmptySubsequences: false
        ).map(Substring.init)
    }

    /// Without the lines' ends, LF or CRLF.
    @inlinable package var textLines: [Substring] {
        parts(by: "\n").map { $0.utf8.last == 0x0D ? Substring($0.utf8.dropLast()) : $0 }
    }

    /// Whether these bytes stand in it.
    @inlinable package func holds(_ part: String) -> Bool {
        // The standard library's search for a range sets up tables that cost more than the texts
        // here are long.
        var (text, part) = (Substring(self), part)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let first = part.first else { return true }
                guard part.count <= text.count else { return false }
                return (0...text.count - part.count).contains { start in
                    text[start] == first && text[start...].starts(with: part)
                }
            }
        }
    }

    /// Whether it is the same bytes.
    @inlinable package func isExactly(_ other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    @inlinable package func begins(with prefix: String) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    @inlinable package func ends(with suffix: String) -> Bool {
        Substring(self).utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// What follows these bytes; nil if it does not begin with them.
    @inlinable package func after(_ prefix: String) -> Substring? {
        begins(with: prefix) ? Substring(Substring(self).utf8.dropFirst(prefix.utf8.count)) : nil
    }

    /// What stands before these bytes; nil if it does not end with them.
    @inlinable package func before(_ suffix: String) -> Substring? {
        ends(with: suffix) ? Substring(Substring(self).utf8.dropLast(suffix.utf8.count)) : nil
    }

    /// With the letters A to Z in lower case, and no others: names of protocols hold no others.
    @inlinable package var asciiLowercased: String {
        String(decoding: utf8.lazy.map(\.asciiLowercased), as: UTF8.self)
    }

    /// Whether it is that text, which is in lower case, in any case.
    @inlinable package func isIgnoringCase(_ lowercase: String) -> Bool {
        utf8.lazy.map(\.asciiLowercased).elementsEqual(lowercase.utf8)
    }

    /// Without the spaces and tabs around it.
    @inlinable package var trimmingSpaces: String {
        trimming { $0 == 0x20 || $0 == 0x09 }
    }

    /// Without the ASCII white space around it, ends of lines included.
    @inlinable package var trimmingASCIIWhitespace: String {
        trimming { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    @inlinable package func trimming(_ isGone: (UInt8) -> Bool) -> String {
        let bytes = Substring(self).utf8
        guard let first = bytes.firstIndex(where: { !isGone($0) }), let last = bytes.lastIndex(where: { !isGone($0) })
        else { return "" }
        return String(Substring(bytes[first...last]))
    }
}

extension UInt8 {
    @inlinable package var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
