package import Essentials

/// Random digits that prove a mailbox (NIST SP 800-63B-4 section 3.1.3.2): six, or ten while codes
/// are being guessed.
package struct Code: Secret, Sendable {
    /// How long a code lives.
    package static let lifetime: Duration = .seconds(600)
    /// How often a flow may try.
    package static let attempts = 5

    /// How many digits a code has.
    package enum Length: Int, Sendable {
        case short = 6, long = 10
    }

    package let digits: String

    package init(from random: Randomness, length: Length = .short) {
        digits = (0..<length.rawValue).map { _ in String(random.number(below: 10)) }.joined()
    }

    /// What a visitor typed: spaces, dashes and marks of direction are ignored, digits of every
    /// script are read; `nil` unless six to ten digits remain.
    package init?(typed: String) {
        let kept = typed.unicodeScalars.filter { !$0.properties.isWhitespace && !$0.properties.isDash && !$0.isFormat }
        let read = kept.compactMap(\.decimalDigit)
        guard (Length.short.rawValue...Length.long.rawValue).contains(kept.count), read.count == kept.count else {
            return nil
        }
        digits = read.map(String.init).joined()
    }

    /// Whether guessing it is hopeless, however many try.
    var isLong: Bool { digits.utf8.count == Length.long.rawValue }

    /// Keyed digest, bound to the flow it was made for.
    package func digest(flow: TokenDigest, key: SecretKey) -> CodeDigest {
        CodeDigest(bytes: key.mac(.code, flow.bytes + Array(digits.utf8)))
    }

    /// The digests under the current and the previous key.
    package func digests(flow: TokenDigest, key: SecretKey) -> [CodeDigest] {
        key.macs(.code, flow.bytes + Array(digits.utf8)).map(CodeDigest.init)
    }
}

extension Unicode.Scalar {
    fileprivate var isFormat: Bool { properties.generalCategory == .format }

    /// Its value as a digit of a decimal system, from 0 to 9; nil for anything else (Unicode,
    /// section 4.6).
    fileprivate var decimalDigit: Int? {
        properties.numericType == .decimal ? properties.numericValue.map { Int($0) } : nil
    }
}

/// HMAC-SHA-256 of a code and its flow: what the store keeps.
package struct CodeDigest: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
