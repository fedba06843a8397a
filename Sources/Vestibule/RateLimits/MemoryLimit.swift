import Foundation
import Synchronization

/// A limit kept in memory (GCRA), for what costs only processor time and must leave no trace.
final class MemoryLimit: Sendable {
    private let interval: TimeInterval
    private let burst: TimeInterval
    private let arrivals = Mutex<[String: Date]>([:])
    private static let keptAtMost = 50_000

    init(amount: Int, period: Duration) {
        burst = period.seconds
        interval = burst / Double(amount)
    }

    /// Counts one use. Throws `Refusal.limited`.
    func take(_ key: String, now: Date) throws(Refusal) {
        let refusedUntil: Date? = arrivals.withLock { arrivals in
            if arrivals.count >= Self.keptAtMost { arrivals = arrivals.filter { $0.value > now } }
            // So many at once: forgetting them is cheaper than looking through them at each request.
            if arrivals.count >= Self.keptAtMost { arrivals = [:] }
            let next = max(arrivals[key] ?? now, now).addingTimeInterval(interval)
            guard next.timeIntervalSince(now) <= burst else { return next.addingTimeInterval(-burst) }
            arrivals[key] = next
            return nil
        }
        if let refusedUntil { throw .limited(until: refusedUntil) }
    }
}
