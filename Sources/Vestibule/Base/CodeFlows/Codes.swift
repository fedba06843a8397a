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

    /// A flow that begins now, its token and its code.
    func begin(_ email: EmailAddress, _ length: Code.Length, endsAt: Date) -> NewCodeFlow {
        let (token, code) = (Token(from: random), code(length))
        let pending = PendingCode(
            flow: token.digest, email: email, digest: digest(code, flow: token.digest),
            codeExpiresAt: expiry, expiresAt: endsAt
        )
        return NewCodeFlow(token: token, code: code, pending: pending)
    }

    func code(_ length: Code.Length) -> Code {
        Code(from: random, length: length)
    }

    /// What the store keeps of a code.
    func digest(_ code: Code, flow: TokenDigest) -> CodeDigest {
        code.digest(flow: flow, key: key)
    }

    /// What a typed code is compared with, under the keys in force.
    func digests(_ code: Code, flow: TokenDigest) -> [CodeDigest] {
        code.digests(flow: flow, key: key)
    }

    /// When a code that is made now expires.
    var expiry: Date { clock.now.addingTimeInterval(Code.lifetime.seconds) }

    /// False for a code that has expired, or that was made later than now: before a restart, by a
    /// clock that has been set back since.
    func isAlive(_ pending: PendingCode) -> Bool {
        let left = pending.codeExpiresAt.timeIntervalSince(clock.now)
        return left > 0 && left <= Code.lifetime.seconds
    }
}
