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
        case .czech: [.one, .few, .other]
        case .eastSlavic, .polish: [.one, .few, .many, .other]
        case .arabic: allCases
        }
    }
}

/// Languages with the same rule.
private enum Rule {
    case same, plain, plainWithZero, czech, eastSlavic, polish, arabic

    init(_ code: String) {
        switch code.parts(by: "-")[0] {
        case "id", "ja", "ko", "ms", "th", "vi", "zh": self = .same
        case "fr", "hi", "pt": self = .plainWithZero
        case "cs", "sk": self = .czech
        case "be", "ru", "uk": self = .eastSlavic
        case "pl": self = .polish
        case "ar": self = .arabic
        default: self = .plain
        }
    }

    func form(_ count: Int, ones: Int, hundreds: Int) -> PluralForm {
        let isFew = (2...4).contains(ones) && !(12...14).contains(hundreds)
        return switch self {
        case .same: .other
        case .plain: count == 1 ? .one : .other
        case .plainWithZero: count <= 1 ? .one : .other
        case .czech: count == 1 ? .one : (2...4).contains(count) ? .few : .other
        case .eastSlavic: ones == 1 && hundreds != 11 ? .one : isFew ? .few : .many
        case .polish: count == 1 ? .one : isFew ? .few : .many
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
