/// Text from outside is cut and compared by its bytes. By `Character` a mark behind a comma, a letter that joins the next one
/// before it or a joiner between would hide it.
extension StringProtocol {
    /// The parts between an ASCII separator, the empty ones among them.
    package func parts(by separator: Unicode.Scalar, atMost: Int = .max) -> [Substring] {
        let text = Substring(self)
        return text.utf8.split(
            separator: UInt8(ascii: separator), maxSplits: atMost - 1, omittingEmptySubsequences: false
        ).map(Substring.init)
    }

    /// Without the spaces and tabs around it.
    package var trimmingSpaces: String {
        func isInk(_ byte: UInt8) -> Bool { byte != 0x20 && byte != 0x09 }
        let bytes = Substring(self).utf8
        guard let first = bytes.firstIndex(where: isInk), let last = bytes.lastIndex(where: isInk) else { return "" }
        return String(Substring(bytes[first...last]))
    }
}
