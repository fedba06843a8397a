import Essentials

/// The form of a sentence that goes with a whole number (Unicode CLDR, cardinal plural rules).
enum PluralForm: String, Sendable, CaseIterable {
    case zero, one, two, few, many, other

    /// `count` is not negative.
    init(_ count: Int, language code: String) {
        let rule = Rule(code)
        self = rule.form(count, ones: count % 10, hundreds: count % 100)
    }

    /// The forms that a file of that language has; `other` also stands for those it leaves out.
    static func all(language code: String) -> [PluralForm] {
        switch Rule(code) {
        case .same: [.other]
        case .plain, .plainWithZero: [.one, .other]
        case .hebrew: [.one, .two, .other]
        case .latvian: [.zero, .one, .other]
        case .czech, .southSlavic, .romanian, .lithuanian: [.one, .few, .other]
        case .eastSlavic, .polish: [.one, .few, .many, .other]
        case .slovenian: [.one, .two, .few, .other]
        case .arabic: allCases
        }
    }
}

/// Languages with the same rule.
private enum Rule {
    case same, plain, plainWithZero, czech, eastSlavic, polish, southSlavic, slovenian
    case hebrew, romanian, lithuanian, latvian, arabic

    init(_ code: String) {
        switch code.asciiLowercased.parts(by: "-")[0] {
        case "id", "ja", "ko", "ms", "th", "vi", "zh": self = .same
        case "fr", "hi", "pt": self = .plainWithZero
        case "cs", "sk": self = .czech
        case "be", "ru", "uk": self = .eastSlavic
        case "pl": self = .polish
        case "bs", "hr", "sr": self = .southSlavic
        case "sl": self = .slovenian
        case "he": self = .hebrew
        case "ro": self = .romanian
        case "lt": self = .lithuanian
        case "lv": self = .latvian
        case "ar": self = .arabic
        default: self = .plain
        }
    }

    func form(_ count: Int, ones: Int, hundreds: Int) -> PluralForm {
        let isTeen = (11...19).contains(hundreds)
        let isOne = ones == 1 && hundreds != 11
        let isFew = (2...4).contains(ones) && !isTeen
        return switch self {
        case .same: .other
        case .plain: count == 1 ? .one : .other
        case .plainWithZero: count <= 1 ? .one : .other
        case .czech: count == 1 ? .one : (2...4).contains(count) ? .few : .other
        case .eastSlavic: isOne ? .one : isFew ? .few : .many
        case .polish: count == 1 ? .one : isFew ? .few : .many
        case .southSlavic: isOne ? .one : isFew ? .few : .other
        case .slovenian: hundreds == 1 ? .one : hundreds == 2 ? .two : (3...4).contains(hundreds) ? .few : .other
        case .hebrew: count == 1 ? .one : count == 2 ? .two : .other
        case .romanian: count == 1 ? .one : count == 0 || (1...19).contains(hundreds) ? .few : .other
        case .lithuanian: isOne ? .one : ones > 1 && !isTeen ? .few : .other
        case .latvian: ones == 0 || isTeen ? .zero : isOne ? .one : .other
        case .arabic: Self.arabic(count, hundreds)
        }
    }

    private static func arabic(_ count: Int, _ hundreds: Int) -> PluralForm {
        switch (count, hundreds) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }
}
