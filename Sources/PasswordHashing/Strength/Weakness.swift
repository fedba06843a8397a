import CZxcvbn

extension PasswordStrength {
    /// What makes a password guessable, by what covers most of it.
    package enum Weakness: Sendable, Equatable, CaseIterable {
        /// Among the passwords and words everybody tries first.
        case common
        /// Made of the person's address or name, or of the site's words.
        case personal
        /// Neighbouring keys.
        case keyboard
        /// One character or part again and again.
        case repeats
        /// Such as abcd or 6543.
        case sequence
        case date
        /// Simply too short or too plain.
        case other

        /// Of a part that zxcvbn matched. Returns nil if the part is neither word nor pattern.
        init?(matchType: UInt32) {
            // zxcvbn marks a match that is itself repeated by adding this to its type.
            guard matchType < MULTIPLE_MATCH.rawValue else {
                self = .repeats
                return
            }
            switch ZxcTypeMatch_t(matchType) {
            case DICTIONARY_MATCH, DICT_LEET_MATCH: self = .common
            case USER_MATCH, USER_LEET_MATCH: self = .personal
            case SPATIAL_MATCH: self = .keyboard
            case REPEATS_MATCH: self = .repeats
            case SEQUENCE_MATCH: self = .sequence
            case DATE_MATCH, YEAR_MATCH: self = .date
            default: return nil
            }
        }
    }
}
