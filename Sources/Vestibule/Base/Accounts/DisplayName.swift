import Essentials

/// The name a person wants to be called: 1 to 64 characters that can be shown; trimmed and NFC.
struct DisplayName: Sendable, Equatable {
    let text: String

    private static let maximumBytes = 1024

    init(_ typed: String) throws(Refusal) {
        // Four times, because trimming and NFC may shorten: the exact limit follows, this one
        // bounds the work.
        guard typed.utf8.count <= 4 * Self.maximumBytes else { throw .displayNameTooLong }
        let name = typed.trimmedAndComposed
        guard name.unicodeScalars.contains(where: Self.isVisible) else { throw .displayNameMissing }
        guard name.count <= 64, name.utf8.count <= Self.maximumBytes else { throw .displayNameTooLong }
        guard name.isShowable, name.unicodeScalars.allSatisfy(Self.isAssigned) else { throw .displayNameInvalid }
        text = name
    }

    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let isBlank = scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
        return !isBlank && scalar.value != 0x2800
    }

    private static func isAssigned(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory != .unassigned
    }
}
