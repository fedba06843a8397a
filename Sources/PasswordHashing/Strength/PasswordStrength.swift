import CZxcvbn
import Foundation

/// How hard a password is to guess, estimated by libzxcvbn (Wheeler, USENIX Security 2016).
package struct PasswordStrength: Sendable, Equatable {
    /// Tries needed, as a power of ten.
    let guessesLog10: Double
    /// What makes it guessable. Nil if zxcvbn found neither words nor patterns in it, and it would
    /// take 10^10 tries or more.
    let weakness: Weakness?

    /// zxcvbn's own scale, 0 to 4: under 10^3, 10^6, 10^8, 10^10 tries, and more.
    package var score: Int {
        [3.0, 6, 8, 10].count { guessesLog10 >= $0 }
    }

    /// Estimates for a guesser who tries `words` first. Takes up to three milliseconds of a core.
    static func estimate(_ beginning: Password.Beginning, words: [String]) -> PasswordStrength {
        var matches: UnsafeMutablePointer<ZxcMatch_t>?
        defer { ZxcvbnFreeInfo(matches) }
        let bits = CStrings(words).withPointers { words in
            guessable(beginning).withCString { ZxcvbnMatch($0, words, &matches) }
        }
        let guesses = bits * log10(2)
        return PasswordStrength(guessesLog10: guesses, weakness: heaviest(matches) ?? (guesses < 10 ? .other : nil))
    }

    /// A text C can read, letters beyond ASCII lower-cased as zxcvbn itself does for ASCII.
    private static func guessable(_ beginning: Password.Beginning) -> String {
        beginning.scalars.reduce(into: "") { result, scalar in
            switch scalar.value {
            case 0: result += "\u{1}"
            case 1..<128: result.unicodeScalars.append(scalar)
            default: result += scalar.properties.lowercaseMapping
            }
        }
    }

    private static func heaviest(_ first: UnsafeMutablePointer<ZxcMatch_t>?) -> Weakness? {
        var lengths: [Weakness: Int] = [:]
        for match in sequence(first: first, next: { $0?.pointee.Next }) {
            guard let match, let weakness = Weakness(matchType: match.pointee.Type.rawValue) else { continue }
            lengths[weakness, default: 0] += Int(match.pointee.Length)
        }
        // A tie goes to the case named first, so the answer does not change from call to call.
        let longest = lengths.values.max()
        return Weakness.allCases.first { lengths[$0] != nil && lengths[$0] == longest }
    }
}
