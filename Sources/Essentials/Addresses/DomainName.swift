import CIDN2

/// A mail domain in the one form the DNS knows: lower-case ASCII labels, by IDNA2008 (RFC 5891, UTS
/// #46 mapping).
package enum DomainName {
    /// Returns nil unless it has at least two labels, and for an IP address.
    static func ascii(_ typed: String) -> String? {
        guard let domain = lookupForm(typed), domain.utf8.count <= 253 else { return nil }
        let labels = domain.parts(by: ".")
        guard labels.count >= 2, labels.allSatisfy(isHostLabel), let last = labels.last,
            !last.utf8.allSatisfy(\.isASCIIDigit)
        else { return nil }
        return domain
    }

    private static func lookupForm(_ typed: String) -> String? {
        // libidn2 reads a C string: what follows a NUL would silently be cut off.
        guard !typed.utf8.contains(0) else { return nil }
        var output: UnsafeMutablePointer<UInt8>?
        defer { idn2_free(output) }
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        let result = Array(typed.utf8 + [0]).withUnsafeBufferPointer {
            idn2_lookup_u8($0.baseAddress, &output, flags)
        }
        guard result == IDN2_OK.rawValue, let output else { return nil }
        return String(cString: output).asciiLowercased
    }

    /// Letters, digits and inner hyphens (RFC 1123 section 2.1), 1 to 63 bytes.
    package static func isHostLabel(_ label: Substring) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(label.utf8.count) && label.utf8.first != hyphen && label.utf8.last != hyphen
            && label.utf8.allSatisfy { $0 == hyphen || $0.isASCIILetterOrDigit }
    }
}
