/// The authority in `Host` and in an absolute target (RFC 9110 section 7.2): host and port, never a
/// user.
package enum Authority {
    /// Whether the bytes are a host that is not empty, and a port of at most 65535 if one follows.
    @inlinable package static func isValid(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "[") else {
            let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            return isName(text[..<end]) && isPort(text[end...])
        }
        guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
        let address = text[..<end].dropFirst()
        return address.contains(UInt8(ascii: ":")) && IPAddress(String(decoding: address, as: UTF8.self)) != nil
            && isPort(text[end...].dropFirst())
    }

    /// Whether a request line may name that target: a path, `*`, or an http(s) URL with an
    /// authority.
    package static func isValid(target: String, of method: String) -> Bool {
        let bytes = target.utf8
        if bytes.first == UInt8(ascii: "/") || target == "*" { return true }
        if method == "CONNECT" { return isValid(bytes) }
        guard let authority = authority(ofTarget: target) else { return false }
        return isValid(authority)
    }

    /// What follows the scheme; nil unless that is http or https.
    package static func authority(ofTarget target: String) -> Substring.UTF8View? {
        for scheme in ["http://", "https://"] where target.utf8.count >= scheme.utf8.count {
            let isThis = zip(target.utf8, scheme.utf8).allSatisfy {
                $0 == $1 || $0.isASCIILetterOrDigit && $0 | 0x20 == $1
            }
            guard isThis else { continue }
            return target.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        }
        return nil
    }

    /// A registered name or an IPv4 address (RFC 3986 section 3.2.2).
    @inlinable package static func isName(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        var rest = text[...]
        guard !rest.isEmpty else { return false }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard Hex.byte(rest.prefix(2)) != nil else { return false }
                rest = rest.dropFirst(2)
            } else if !byte.isASCIILetterOrDigit, !"-._~!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return true
    }

    /// Nothing, or a colon and digits.
    @inlinable package static func isPort(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        guard let colon = text.first else { return true }
        let digits = text.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy(\.isASCIIDigit) else { return false }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65_535
    }
}
