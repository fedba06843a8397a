import Foundation
import Synchronization

/// Since when requests meet a store that cannot work.
final class StoreOutage: Sendable {
    private struct Met {
        let first: Date
        var last: Date
    }

    private let met = Mutex<Met?>(nil)
    /// In seconds. Nobody met it for that long: it is over if the store can be written to.
    private static let quiet: TimeInterval = 25

    func note(at now: Date) {
        met.withLock { $0 = Met(first: $0?.first ?? now, last: now) }
    }

    /// The store was just written to. Returns how many seconds requests met it, if that is over;
    /// nil when it was told before. A clock that was put back ends it, too.
    func end(at now: Date) -> Int? {
        met.withLock { met in
            guard let ended = met, !(0..<Self.quiet).contains(now.timeIntervalSince(ended.last)) else { return nil }
            met = nil
            return max(0, Int(ended.last.timeIntervalSince(ended.first).rounded()))
        }
    }
}
