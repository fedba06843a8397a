/// The sender of our mails: an ASCII `local@domain`, and the name shown beside it.
package struct MailAddress: Sendable, Equatable {
    package let name: String?
    package let address: String

    /// `nil` when `address` is not an ASCII addr-spec or the name holds control characters.
    package init?(name: String?, address: String) {
        guard AddrSpec.isUsable(address), address.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard name.map({ !$0.unicodeScalars.contains(where: \.isUnsafeInHeader) }) ?? true else { return nil }
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
        self.address = address
    }

    /// Reads `Vestibule <no-reply@localhost>`, `"Doors, Inc." <a@b>` or a bare address (RFC 5322, 3.4).
    package init?(_ text: String) {
        let text = text.trimmingSpaces
        guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else {
            self.init(name: nil, address: text)
            return
        }
        guard let name = Self.unquoted(text[..<open].trimmingSpaces) else { return nil }
        self.init(name: name, address: String(text[text.index(after: open)...].dropLast()))
    }

    /// What follows the `@`.
    package var domain: String { AddrSpec.domain(of: address) }

    private static func unquoted(_ name: String) -> String? {
        guard name.contains("\"") else { return name.contains(where: { "<>".contains($0) }) ? nil : name }
        guard name.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") else { return nil }
        var inner = name.dropFirst().dropLast()
        var result = ""
        while let character = inner.popFirst() {
            if character == "\"" { return nil }
            guard character == "\\" else {
                result.append(character)
                continue
            }
            guard let escaped = inner.popFirst() else { return nil }
            result.append(escaped)
        }
        return result
    }
}
