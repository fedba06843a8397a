import Bytes

extension Password {
    /// What is estimated of a password: its first code points. zxcvbn's time grows with the third
    /// power of the length, and leaving out the rest makes no password look stronger than it is.
    struct Beginning: Secret, Sendable {
        /// Takes less than 3 ms; a hundred would take 10.
        static let codePoints = 64

        let scalars: [Unicode.Scalar]

        /// Without spaces and punctuation, where these are but separators: a quarter of it at most.
        var withoutSeparators: Beginning? {
            let letters = scalars.filter { scalar in
                !scalar.properties.isWhitespace && !(scalar.isASCII && scalar.properties.isPatternSyntax)
            }
            guard letters.count < scalars.count, 4 * letters.count >= 3 * scalars.count else { return nil }
            return Beginning(scalars: letters)
        }
    }
}
