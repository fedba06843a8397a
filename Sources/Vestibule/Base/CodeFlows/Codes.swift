package import Essentials
import Foundation

/// Codes that are mailed and typed: how they are made, how long they live, and what a typed one is
/// compared with.
package struct Codes: Sendable {
    private let key: SecretKey
    private let random: Randomness
    /// What codes live by.
    private let clock: SteadyClock

    package init(key: SecretKey, random: Randomness, clock: SteadyClock) {
        (self.key, self.random, self.clock) = (key, random, clock)
    }

    func begin(_ email: EmailAddress, _ length: Code.Length, endsAt: Date) -> NewCodeFlow {
        let (token, code) = (Token(from: random), code(length))
        let pending = PendingCode(
            flow: token.digest, email: email, digest: digest(code, flow: token.digest),
            codeExpiresAt: expiry, expiresAt: endsAt
        )
        return NewCodeFlow(token: token, code: MailedCode(code, pending.digest), pending: pending)
    }

    func code(_ length: Code.Length) -> Code {
        Code(from: random, length: length)
    }

    /// Keyed digest, bound to the flow it was made for.
    func digest(_ code: Code, flow: TokenDigest) -> CodeDigest {
        CodeDigest(bytes: key.mac(.code, flow.bytes + Array(code.digits.utf8)))
    }

    /// The digests under the current and the previous key.
    func digests(_ code: Code, flow: TokenDigest) -> [CodeDigest] {
        key.macs(.code, flow.bytes + Array(code.digits.utf8)).map(CodeDigest.init)
    }

    /// When a code, or a proof that one was right, expires that is made now.
    var expiry: Date { clock.now.addingTimeInterval(Code.lifetime.seconds) }

    /// False for a code that has expired, or that was made later than now: before a restart, by a
    /// clock that has been set back since. Clocks of two nodes may differ by a minute.
    func isAlive(_ pending: PendingCode) -> Bool {
        let left = pending.codeExpiresAt.timeIntervalSince(clock.now)
        return left > 0 && left <= Code.lifetime.seconds + 60
    }
}

/// Random digits that prove a mailbox (NIST SP 800-63B-4 section 3.1.3.2): six, or ten while codes
/// are being guessed.
package struct Code: Secret, Sendable {
    /// How long a code lives.
    static let lifetime: Duration = .seconds(600)
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
}

/// HMAC-SHA-256 of a code and its flow: what the store keeps.
package struct CodeDigest: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
