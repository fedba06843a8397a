import Foundation
import Synchronization

/// When requests failed because the store could not work, and when its disk was full.
final class StoreOutage: Sendable {
    private struct Met {
        let first: Date
        var last: Date
    }

    private let met = Mutex<Met?>(nil)
    private let fullDisk = Mutex<Date?>(nil)
    /// In seconds. The outage is over if no request failed for so long and a write succeeds.
    private static let quiet: TimeInterval = 25

    /// How long a full disk is taken to be full still, in seconds.
    private static let fullFor: TimeInterval = 15

    func note(_ fault: StoreUnavailable, at now: Date) {
        if fault.cause == .fullDisk { fullDisk.withLock { $0 = now } }
        met.withLock { $0 = Met(first: $0?.first ?? now, last: now) }
    }

    /// Whether a request found the disk full just now. The small write of a health check
    /// may succeed all the same.
    func isDiskFull(at now: Date) -> Bool {
        fullDisk.withLock { $0.map { (0..<Self.fullFor).contains(now.timeIntervalSince($0)) } ?? false }
    }

    /// To be called after a write. Returns for how many seconds requests failed, once for each
    /// outage; nil while it may go on, or when there is none. A clock that was put back ends it.
    func end(at now: Date) -> Int? {
        met.withLock { met in
            guard let ended = met, !(0..<Self.quiet).contains(now.timeIntervalSince(ended.last)) else { return nil }
            met = nil
            return max(0, Int(ended.last.timeIntervalSince(ended.first).rounded()))
        }
    }
}
