/// What a new password must be: long enough (NIST SP 800-63B-4 section 3.1.1.2) and not guessable.
package struct PasswordPolicy: Sendable {
    /// Most UTF-8 bytes a password may have, so that nobody buys work with length.
    package static let maximumBytes = 1_024

    /// In code points.
    package let minimumLength: Int
    /// Tries it must withstand, as a power of ten.
    package let minimumGuessesLog10: Double
    /// A word not to build a password on.
    package let brand: String

    package init(minimumLength: Int, minimumGuessesLog10: Double, brand: String) {
        self.minimumLength = minimumLength
        self.minimumGuessesLog10 = minimumGuessesLog10
        self.brand = brand
    }

    /// Why this person may not use it; `nil` when it is good.
    package func judge(_ password: Password, email: String, displayName: String?) -> PasswordRefusal? {
        if password.byteCount == 0 { return .missing }
        if password.byteCount > Self.maximumBytes { return .tooLong }
        if password.codePoints < minimumLength { return .tooShort(minimum: minimumLength) }
        let strength = strength(of: password, email: email, displayName: displayName)
        return strength.guessesLog10 < minimumGuessesLog10 ? .guessable(strength.weakness ?? .other) : nil
    }

    /// The estimate the judgement rests on, for a meter that must not disagree with it.
    package func strength(of password: Password, email: String, displayName: String?) -> PasswordStrength {
        let context = email.split(separator: "@").map(String.init) + [displayName ?? "", brand, email]
        // zxcvbn credits separators generously: "lovelace.ada12" must not beat "lovelaceada12".
        let whole = PasswordStrength.estimate(password, context: context)
        guard let bare = password.withoutSeparators else { return whole }
        let joined = PasswordStrength.estimate(bare, context: context)
        return joined.guessesLog10 < whole.guessesLog10 ? joined : whole
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
