import Essentials
import Foundation

/// Codes of authenticator apps (RFC 6238): HMAC-SHA-1, six digits, steps of 30 seconds.
enum TOTP {
    /// Seconds.
    static let period: TimeInterval = 30
    static let digits = 6
    /// What the digits stand for, the first one first.
    static let places: [UInt32] = [100_000, 10_000, 1000, 100, 10, 1]
    /// How many steps a clock may be fast or slow.
    static let drift: Int64 = 1

    static func step(at moment: Date) -> Int64 {
        Int64((moment.timeIntervalSince1970 / period).rounded(.down))
    }

    /// The step whose code was typed; spaces are ignored, and digits of every script are read.
    /// Returns nil if it is wrong, or if that step was used.
    static func step(of typed: String, _ key: TOTPKey, after last: Int64?, now: Date) -> Int64? {
        guard let code = TypedCode.digits(typed, digits...digits) else { return nil }
        let current = step(at: now)
        // All are compared, so that the time does not tell which one it was.
        let matching = (current - drift...current + drift).filter {
            ConstantTime.equal(key.code(step: $0), Array(code.utf8))
        }
        // The last one: when two steps have the same code, it works once all the same.
        return matching.last.flatMap { $0 > last ?? -1 ? $0 : nil }
    }
}
