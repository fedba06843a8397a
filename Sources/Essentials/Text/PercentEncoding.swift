extension String {
    /// The same, with each byte that is not kept as a percent sign and two digits (RFC 3986 section
    /// 2.1).
    package func percentEncoded(keeping isKept: (UInt8) -> Bool) -> String {
        guard !utf8.allSatisfy(isKept) else { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 16)
        for byte in utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), Hex.upperDigit(byte >> 4), Hex.upperDigit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same as the value of a query (RFC 3986 section 3.4), with slashes left as they are.
    package var queryEncoded: String {
        percentEncoded { $0.isUnreserved || $0 == UInt8(ascii: "/") }
    }

    /// The same for queries and forms: everything but unreserved characters is escaped.
    package var formEncoded: String { percentEncoded(keeping: \.isUnreserved) }

    /// The same URI with more in its query, in that order; what is nil is left out.
    package func adding(_ parameters: KeyValuePairs<String, String?>) -> String {
        let pairs = parameters.compactMap { name, value in value.map { "\(name)=\($0.formEncoded)" } }
        guard !pairs.isEmpty else { return self }
        return self + (holds("?") ? "&" : "?") + pairs.joined(separator: "&")
    }

    /// With a byte for each percent sign and two digits. Returns nil for a broken escape, and for
    /// bytes that are no UTF-8.
    ///
    /// Foundation's takes ten times as long, and puts U+FFFD in place of some bytes that are no
    /// UTF-8.
    package var percentDecoded: String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var rest = utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(Hex.value), let low = rest.next().flatMap(Hex.value) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether it is an unreserved character of a URL (RFC 3986 section 2.3).
    package var isUnreserved: Bool { isASCIILetterOrDigit || "-._~".utf8.contains(self) }
}
