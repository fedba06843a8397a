import Essentials
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

    /// Counts one use in each of the client's networks. Throws `Refusal.limited`; then none is
    /// counted.
    func take(_ client: ClientAddress, now: Date) throws(Refusal) {
        let refusedUntil: Date? = arrivals.withLock { arrivals in
            if arrivals.count >= Self.keptAtMost { arrivals = arrivals.filter { $0.value > now } }
            // So many at once: forgetting them is cheaper than looking through them at each
            // request.
            if arrivals.count >= Self.keptAtMost { arrivals = [:] }
            let next = client.networks.map { name, share in
                // What lies further ahead was counted by a clock that has been put back.
                let before = arrivals[name].flatMap { $0.timeIntervalSince(now) <= burst ? $0 : nil }
                let arrival = max(before ?? now, now).addingTimeInterval(interval / Double(share))
                return (name: name, arrival: arrival)
            }
            if let latest = next.map(\.arrival).max(), latest.timeIntervalSince(now) > burst {
                return latest.addingTimeInterval(-burst)
            }
            for (name, arrival) in next { arrivals[name] = arrival }
            return nil
        }
        if let refusedUntil { throw .limited(until: refusedUntil) }
    }
}
