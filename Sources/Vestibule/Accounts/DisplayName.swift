/// The name a person wants to be called: 1 to 64 characters, no control characters; trimmed and NFC.
package struct DisplayName: Sendable, Equatable {
    package let text: String

    private static let maximumBytes = 1024

    package init(_ typed: String) throws(Refusal) {
        // Four times, because trimming and NFC may shorten: the exact limit follows, this one bounds the work.
        guard typed.utf8.count <= 4 * Self.maximumBytes else { throw .displayNameTooLong }
        let name = typed.trimmedAndComposed
        guard name.unicodeScalars.contains(where: Self.isVisible) else { throw .displayNameMissing }
        guard name.count <= 64, name.utf8.count <= Self.maximumBytes else { throw .displayNameTooLong }
        guard name.unicodeScalars.allSatisfy(Self.isPrintable) else { throw .displayNameInvalid }
        text = name
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let isBlank = scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
        return !isBlank && scalar.value != 0x2800
    }

    /// Formatting characters stay, as scripts need joiners; those that turn the reading direction of what follows do not.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return false
        default: return !overrides.contains(scalar.value)
        }
    }

    private static let overrides: Set<UInt32> = [
        0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069,
    ]
}
