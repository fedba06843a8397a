/// The part before the `@`: a dot-atom (RFC 5322 section 3.2.3), with UTF-8 as in RFC 6531 section
/// 3.3. Not one that a mail program may decode and so read as another: an encoded word (RFC 2047),
/// or a percent sign before two hex digits.
enum MailboxName {
    static func isValid(_ name: String) -> Bool {
        let atoms = name.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        return (1...64).contains(name.utf8.count) && name.isShowable
            && atoms.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomText) } && !isEncoded(name.utf8[...])
    }

    private static func isEncoded(_ name: Substring.UTF8View) -> Bool {
        name.indices.contains { place in
            name[place...].starts(with: "=?".utf8)
                || name[place] == UInt8(ascii: "%") && Hex.byte(name[place...].dropFirst().prefix(2)) != nil
        }
    }

    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? asciiAtomText.contains(scalar) : isVisible(scalar)
    }

    /// Letters, marks, numbers, signs: nothing that takes no ink or turns the line around.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return !scalar.isInvisible && !properties.isDefaultIgnorableCodePoint && !properties.isWhitespace
            && ![.privateUse, .unassigned].contains(properties.generalCategory)
    }

    private static let asciiAtomText = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~".unicodeScalars
    )
}
