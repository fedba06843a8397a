package import Foundation

/// Counters that survive a restart and are shared by every node.
package protocol RateLimitStore: Sendable {
    /// Takes every claim or none (GCRA, one atomic upsert a claim). Returns `nil` when taken, or
    /// the claim that is refused and when it would be granted. Need not survive a power cut.
    func take(_ claims: [LimitClaim], now: Date) async throws -> LimitRefusal?
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
