import Essentials

/// The sender of our mails: an ASCII `local@domain`, and the name shown beside it.
package struct MailAddress: Sendable, Equatable {
    let name: String?
    package let address: String

    /// `nil` when `address` is not an ASCII addr-spec or the name holds control characters.
    init?(name: String?, address: String) {
        guard AddrSpec.isUsable(address), address.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard name.map({ !$0.unicodeScalars.contains(where: \.isUnsafeInHeader) && $0.isShowable }) ?? true else {
            return nil
        }
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
        self.address = address
    }

    /// Reads `Vestibule <no-reply@localhost>`, `"Doors, Inc." <a@b>` or a bare address (RFC 5322,
    /// 3.4).
    package init?(_ text: String) {
        let text = text.trimmingSpaces
        guard let rest = text.before(">"), let open = rest.utf8.lastIndex(of: UInt8(ascii: "<")) else {
            self.init(name: nil, address: text)
            return
        }
        guard let name = Self.unquoted(rest[..<open].trimmingSpaces) else { return nil }
        self.init(name: name, address: String(rest[open...].after("<") ?? ""))
    }

    /// What follows the `@`.
    var domain: String { AddrSpec.domain(of: address) }

    private static func unquoted(_ name: String) -> String? {
        guard name.holds("\"") else { return name.holds("<") || name.holds(">") ? nil : name }
        guard var inner = name.after("\"")?.before("\"")?.unicodeScalars else { return nil }
        var result = String.UnicodeScalarView()
        while let scalar = inner.popFirst() {
            if scalar == "\"" { return nil }
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            guard let escaped = inner.popFirst() else { return nil }
            result.append(escaped)
        }
        return String(result)
    }
}
