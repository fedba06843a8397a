import Essentials

/// The `local@domain` that goes on the wire (RFC 5321, 4.1.2, without quoted local parts; RFC 6531
/// for UTF-8 ones).
package enum AddrSpec {
    /// Whether the address can stand in an SMTP command and in a header as it is; the domain must
    /// be ASCII.
    static func isUsable(_ address: String) -> Bool {
        let parts = address.parts(by: "@")
        guard parts.count == 2, address.utf8.count <= 254 else { return false }
        return isLocalPart(parts[0]) && isDomain(parts[1])
    }

    /// What follows the `@`.
    package static func domain(of address: String) -> String {
        address.parts(by: "@").last.map(String.init) ?? ""
    }

    /// Dot-separated labels of ASCII letters, digits and hyphens.
    static func isDomain(_ text: Substring) -> Bool {
        text.utf8.count <= 253 && text.parts(by: ".").allSatisfy(DomainName.isHostLabel)
    }

    private static func isLocalPart(_ text: Substring) -> Bool {
        text.utf8.count <= 64
            && text.parts(by: ".").allSatisfy { atom in
                !atom.isEmpty && atom.unicodeScalars.allSatisfy { $0.isAtomText }
            }
    }
}
