/// The part before the `@`: a dot-atom (RFC 5322 section 3.2.3), with UTF-8 as in RFC 6531 section
/// 3.3.
enum MailboxName {
    static func isValid(_ name: String) -> Bool {
        let atoms = name.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        return (1...64).contains(name.utf8.count) && name.isShowable
            && atoms.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAtomText) }
    }

    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? asciiAtomText.contains(scalar) : isVisible(scalar)
    }

    /// Letters, marks, numbers, signs: nothing that takes no ink or turns the line around.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.properties.isDefaultIgnorableCodePoint, !scalar.properties.isWhitespace else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned,
            .spaceSeparator, .lineSeparator, .paragraphSeparator:
            false
        default: true
        }
    }

    private static let asciiAtomText = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~".unicodeScalars
    )
}
