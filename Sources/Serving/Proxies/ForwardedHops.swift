import Essentials

/// Reads the hops that one line of `X-Forwarded-For` or `Forwarded` names, byte by byte. A hop with
/// anything but an address and its port is unreadable: `nil`.
enum ForwardedHops {
    static func xForwardedFor(_ line: String) -> [IPAddress?] {
        line.parts(by: ",").map { node($0.trimmingSpaces) }
    }

    /// The `for` of each element (RFC 7239 section 4). A line is unreadable as a whole when its
    /// quotes do not match up, as they might enclose what another proxy added.
    static func forwarded(_ line: String) -> [IPAddress?] {
        guard let elements = unquotedSplit(line.utf8[...], at: ",") else { return [nil] }
        let quote = UInt8(ascii: "\"")
        var hops: [IPAddress?] = []
        for element in elements {
            let pairs = pairs(element)
            if pairs == nil, element.contains(quote) { return [nil] }
            hops.append(pairs.flatMap(hop))
        }
        return hops
    }

    private static func hop(_ pairs: [ForwardedPair]) -> IPAddress? {
        let nodes = pairs.filter { $0.name == "for" }
        return nodes.count == 1 ? node(nodes[0].value) : nil
    }

    /// Returns nil unless every one of them is written as the grammar has it.
    private static func pairs(_ element: Substring.UTF8View) -> [ForwardedPair]? {
        guard let parts = unquotedSplit(element, at: ";") else { return nil }
        let written = parts.map { Substring($0).trimmingSpaces }.filter { !$0.isEmpty }
        let pairs = written.compactMap(ForwardedPair.init)
        return pairs.count == written.count ? pairs : nil
    }

    /// Splits where the separator is not quoted; nil if a quoted string does not end.
    private static func unquotedSplit(
        _ text: Substring.UTF8View, at separator: Unicode.Scalar
    ) -> [Substring.UTF8View]? {
        var (isQuoted, isEscaped) = (false, false)
        let parts = text.split(omittingEmptySubsequences: false) { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
            } else {
                return byte == UInt8(ascii: separator)
            }
            return false
        }
        return isQuoted ? nil : parts
    }

    /// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`.
    private static func node(_ text: String) -> IPAddress? {
        let parts = text.parts(by: "]", atMost: 2)
        if text.utf8.first == UInt8(ascii: "["), parts.count == 2 {
            let host = String(parts[0].utf8.dropFirst()) ?? ""
            return host.utf8.contains(UInt8(ascii: ":")) && (parts[1].isEmpty || isPort(parts[1].utf8))
                ? IPAddress(host) : nil
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), isPort(text.utf8[colon...]) else {
            return IPAddress(text)
        }
        return IPAddress(text[..<colon])
    }

    /// A colon and 1 to 5 digits.
    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        text.count > 1 && Authority.isPort(text)
    }
}
