import Foundation
import Synchronization

/// Since when requests meet a store that cannot work, and when they met a full disk.
final class StoreOutage: Sendable {
    private struct Met {
        let first: Date
        var last: Date
    }

    private let met = Mutex<Met?>(nil)
    private let fullDisk = Mutex<Date?>(nil)
    /// In seconds. Nobody met it for that long: it is over if the store can be written to.
    private static let quiet: TimeInterval = 25

    /// How long a full disk is taken to be full still, in seconds.
    private static let fullFor: TimeInterval = 60

    func note(_ fault: StoreUnavailable, at now: Date) {
        if fault.cause == .fullDisk { fullDisk.withLock { $0 = now } }
        met.withLock { $0 = Met(first: $0?.first ?? now, last: now) }
    }

    /// Whether a request met a full disk in the last minute: the row that a look at health writes
    /// may need no more room.
    func isDiskFull(at now: Date) -> Bool {
        fullDisk.withLock { $0.map { (0..<Self.fullFor).contains(now.timeIntervalSince($0)) } ?? false }
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
