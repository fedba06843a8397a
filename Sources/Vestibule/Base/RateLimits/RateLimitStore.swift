package import Foundation
import Synchronization

/// Counters that survive a restart and are shared by every node.
package protocol RateLimitStore: Sendable {
    /// Takes every claim or none (GCRA, one atomic upsert a claim). Returns `nil` when taken, or
    /// the claim that is refused and when it would be granted. Need not survive a power cut.
    func take(_ claims: [LimitClaim], now: Date) async throws -> LimitRefusal?
    /// When `take` would grant all of the claims; takes none. Nil if it would now.
    func refusedUntil(_ claims: [LimitClaim], now: Date) async throws -> Date?
    /// Gives claims back, as if they had not been taken.
    func giveBack(_ claims: [LimitClaim]) async throws
}

/// The claim that was refused, and until when. Thrown by writes that take claims on their way.
package struct LimitRefusal: Error, Equatable {
    package let key: [UInt8]
    package let until: Date

    package init(key: [UInt8], until: Date) {
        self.key = key
        self.until = until
    }
}

/// Says when an engine is to count the counters of limits themselves: not at every use, but often
/// enough.
package final class CounterSweep: Sendable {
    /// So many counters are kept, however many addresses are tried.
    package static let countersAtMost = 16_384
    package static let every = 256

    private let taken = Atomic(0)

    package init() {}

    /// Whether it is due, now that so many more were taken.
    package func isDue(after claims: Int) -> Bool {
        let (before, after) = taken.add(claims, ordering: .relaxed)
        return before / Self.every != after / Self.every
    }
}
