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
        let count = Length.short.rawValue...Length.long.rawValue
        guard let digits = TypedCode.digits(typed, count) else { return nil }
        self.digits = digits
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

/// HMAC-SHA-256 of a code and its flow: what the store keeps.
package struct CodeDigest: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
