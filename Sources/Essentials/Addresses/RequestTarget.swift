/// Path and query of a request, as the client sent them (RFC 9112 section 3.2.1), and such that
/// every server reads them alike.
package struct RequestTarget: Sendable, Hashable {
    /// Begins with one slash; printable ASCII only.
    package let text: String

    /// Bytes; longer ones are no targets.
    private static let longest = 8192

    /// Returns nil for what servers read in different ways: in the path `//` in front, a
    /// backslash, an encoded slash, backslash or NUL, and dot segments, encoded ones too; a
    /// fragment, and bytes that are not printable ASCII, anywhere.
    package init?(_ text: String) {
        guard Self.isUnambiguous(text.utf8) else { return nil }
        self.text = text
    }

    private static func isUnambiguous(_ bytes: String.UTF8View) -> Bool {
        guard bytes.count <= longest, bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { return false }
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        guard path.first == UInt8(ascii: "/"), path.dropFirst().first != UInt8(ascii: "/") else { return false }
        // Most paths have none of these, and so need no second look.
        guard path.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "\\") })
        else { return true }
        let decoded = decoded(path)
        guard let decoded, !decoded.contains(UInt8(ascii: "\\")), !decoded.contains(0) else { return false }
        return decoded.split(separator: UInt8(ascii: "/")).allSatisfy { !isDotSegment($0) }
    }

    /// Decoded once. Returns nil if it has an encoded slash.
    private static func decoded(_ path: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = path
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let value = Hex.byte(rest.prefix(2)) else {
                bytes.append(byte)
                continue
            }
            guard value != UInt8(ascii: "/") else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// `.` or `..`, with parameters too: some servers drop what follows a semicolon first.
    private static func isDotSegment(_ segment: ArraySlice<UInt8>) -> Bool {
        let name = segment.prefix { $0 != UInt8(ascii: ";") }
        return (1...2).contains(name.count) && name.allSatisfy { $0 == UInt8(ascii: ".") }
    }
}
