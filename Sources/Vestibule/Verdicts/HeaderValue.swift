extension String {
    /// As a header's value: all but printable ASCII percent-encoded, and the percent sign (RFC 3986
    /// section 2.1).
    var percentEncodedForHeader: String {
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) || $0 == UInt8(ascii: "%") }) else { return self }
        let bytes = utf8.flatMap { byte -> [UInt8] in
            guard !(0x20...0x7E).contains(byte) || byte == UInt8(ascii: "%") else { return [byte] }
            return Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
