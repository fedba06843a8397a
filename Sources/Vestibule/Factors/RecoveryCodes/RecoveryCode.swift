import Essentials

/// Stands in for a factor that was lost: ten characters, 50 random bits. Works once.
struct RecoveryCode: Secret, Sendable {
    /// How many are made together.
    static let count = 10
    private static let length = 10
    /// Of those that another system made.
    static let importedLengths = 8...24
    /// Digits and letters without those that look like others: no i, l, o and u.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    let characters: [UInt8]

    init(from random: Randomness) {
        characters = (0..<Self.length).map { _ in
            Self.alphabet[Int(random.number(below: UInt32(Self.alphabet.count)))]
        }
    }

    /// What somebody typed: case, spaces and dashes are ignored, and letters that look like a digit
    /// are read as that digit. Returns nil if it can be no recovery code, not even of the system
    /// that the account came from.
    init?(typed: String) {
        guard let read = TypedCode.read(typed) else { return nil }
        characters = read.utf8.map(Self.lookalike)
        guard Self.importedLengths.contains(characters.count) else { return nil }
    }

    /// As it is shown: in two groups of five.
    var text: String {
        String(decoding: characters.prefix(5) + [UInt8(ascii: "-")] + characters.dropFirst(5), as: UTF8.self)
    }

    private static func lookalike(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "o"): UInt8(ascii: "0")
        case UInt8(ascii: "i"), UInt8(ascii: "l"): UInt8(ascii: "1")
        default: letter
        }
    }
}
