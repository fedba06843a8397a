import Foundation

/// An e-mail address, normalized once when it is typed; it prints masked. Equal means the same
/// mailbox, not spelling.
package struct EmailAddress: Sendable, Hashable {
    /// As typed, trimmed and in NFC: what is shown to its owner.
    package let typed: String
    /// Lower-cased local part and ASCII domain: what is compared and stored unique.
    package let key: String
    /// What mail is sent to: the local part as typed, the domain in ASCII (RFC 5891).
    package let ascii: String

    /// Most bytes of a whole address (RFC 5321 section 4.5.3.1.3, less the angle brackets).
    private static let maximumBytes = 254

    /// Returns `nil` for anything that is no deliverable address of a domain name.
    package init?(_ typed: String) {
        // Four times, because trimming and NFC may shorten: the exact limit follows, this one
        // bounds the work.
        guard typed.utf8.count <= 4 * Self.maximumBytes else { return nil }
        let address = typed.trimmedAndComposed
        let parts = address.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard address.utf8.count <= Self.maximumBytes, parts.count == 2, !Self.hidesAnotherAt(address),
            MailboxName.isValid(parts[0]), Self.isPlain(parts[1]), let domain = DomainName.ascii(parts[1])
        else { return nil }
        self.typed = address
        ascii = "\(parts[0])@\(domain)"
        // Characters: letters of every script have a lower case.
        key = "\(parts[0].lowercased().composed)@\(domain)"
        guard max(ascii.utf8.count, key.utf8.count) <= Self.maximumBytes else { return nil }
    }

    /// An address as it was stored: as typed, and its key. Nothing is checked again.
    package init(stored typed: String, key: String) {
        (self.typed, self.key) = (typed, key)
        let domain = key.parts(by: "@").last ?? ""
        ascii = "\(typed.parts(by: "@")[0])@\(domain)"
    }

    package static func == (left: EmailAddress, right: EmailAddress) -> Bool {
        left.key.utf8.elementsEqual(right.key.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }

    /// What stands before the `@`, as typed.
    package var localPart: String { String(typed.parts(by: "@")[0]) }

    /// Whether the domain is shown as it is: IDNA drops what takes no ink before it looks at the
    /// rest.
    private static func isPlain(_ domain: String) -> Bool {
        domain.unicodeScalars.allSatisfy {
            $0.isJoiner || !$0.isInvisible && !$0.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether a look-alike such as ＠ (U+FF20) or ﹫ (U+FE6B) stands in it: NFKC makes every one of
    /// them an `@`.
    private static func hidesAnotherAt(_ address: String) -> Bool {
        guard !address.isASCII else { return false }
        return address.precomposedStringWithCompatibilityMapping.unicodeScalars.count { $0 == "@" } != 1
    }
}

extension EmailAddress {
    /// The key without a plus-tag (RFC 5233 section 4), which most hosts deliver to the mailbox
    /// without it.
    package var mailbox: String {
        let bytes = key.utf8
        guard let plus = bytes.firstIndex(of: UInt8(ascii: "+")), plus != bytes.startIndex,
            let at = bytes.lastIndex(of: UInt8(ascii: "@")), plus < at
        else { return key }
        return String(key[..<plus]) + String(key[at...])
    }
}

extension EmailAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Enough to recognise one's own, such as `a•••@example.com`.
    package var masked: String {
        let parts = ascii.unicodeScalars.split(separator: "@").map(String.init)
        // A stored one may have been changed by hand.
        guard parts.count == 2 else { return "•••" }
        return String(String.UnicodeScalarView(parts[0].unicodeScalars.prefix(1))) + "•••@" + parts[1]
    }

    /// The masked form, so that no log holds a full address.
    package var description: String { masked }
    package var debugDescription: String { masked }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
