/// What a new password must be: long enough (NIST SP 800-63B-4 section 3.1.1.2), not guessable, and
/// none that many people have.
package struct PasswordPolicy: Sendable {
    /// In code points.
    let minimumLength: Int
    /// Tries it must withstand, as a power of ten.
    let minimumGuessesLog10: Double
    /// The words of the site, not to build a password on.
    private let siteWords: [String]
    private let common: CommonPasswords

    /// `site` is what a guesser tries who knows the site, such as its name and its host.
    package init(
        minimumLength: Int, minimumGuessesLog10: Double, site: [String], common: CommonPasswords = CommonPasswords()
    ) {
        self.minimumLength = minimumLength
        self.minimumGuessesLog10 = minimumGuessesLog10
        siteWords = PersonalWords.words(in: site)
        self.common = common
    }

    /// Why this person may not use it; nil if it is good. It is estimated only where neither its
    /// length nor the list of common ones decides.
    package func judge(_ password: Password, email: String, displayName: String?) -> PasswordRefusal? {
        refusalWithoutEstimate(password) ?? refusal(strength(of: password, email: email, displayName: displayName))
    }

    /// The judgement with the estimate it rests on, for a meter that must not disagree with it.
    package func assess(_ password: Password, email: String, displayName: String?) -> PasswordAssessment {
        let strength = strength(of: password, email: email, displayName: displayName)
        return PasswordAssessment(refusal: refusalWithoutEstimate(password) ?? refusal(strength), score: strength.score)
    }

    private func refusalWithoutEstimate(_ password: Password) -> PasswordRefusal? {
        if let refusal = refusalByLength(password) { return refusal }
        let known = CommonPasswords.guessesLog10 < minimumGuessesLog10 && common.contains(password)
        return known ? .guessable(.common) : nil
    }

    /// The part of the judgement that takes no estimate. Nil if the length is good.
    package func refusalByLength(_ password: Password) -> PasswordRefusal? {
        if password.byteCount == 0 { return .missing }
        if password.byteCount > Password.maximumBytes { return .tooLong }
        return password.codePoints < minimumLength ? .tooShort(minimum: minimumLength) : nil
    }

    private func refusal(_ strength: PasswordStrength) -> PasswordRefusal? {
        strength.guessesLog10 < minimumGuessesLog10 ? .guessable(strength.weakness ?? .other) : nil
    }

    private func strength(of password: Password, email: String, displayName: String?) -> PasswordStrength {
        let email = email.beginning(256)
        let context = email.unicodeScalars.split(separator: "@").map(String.init) + [displayName ?? "", email]
        let words = PersonalWords.words(in: context) + siteWords
        let beginning = password.beginning
        let whole = PasswordStrength.estimate(beginning, words: words)
        // zxcvbn credits separators generously: "lovelace.ada12" must not beat "lovelaceada12".
        guard let bare = beginning.withoutSeparators else { return whole }
        let joined = PasswordStrength.estimate(bare, words: words)
        return joined.guessesLog10 < whole.guessesLog10 ? joined : whole
    }
}

/// A judgement with the estimate it rests on.
package struct PasswordAssessment: Sendable, Equatable {
    /// Why it may not be used; `nil` when it is good.
    package let refusal: PasswordRefusal?
    /// zxcvbn's scale, 0 to 4; 2 and more exactly for what may be used.
    package let score: Int

    init(refusal: PasswordRefusal?, score: Int) {
        self.refusal = refusal
        self.score = refusal == nil ? max(2, score) : min(1, score)
    }
}

/// Why a password may not be used.
package enum PasswordRefusal: Sendable, Equatable {
    case missing
    /// In code points.
    case tooShort(minimum: Int)
    case tooLong
    case guessable(PasswordStrength.Weakness)
}
