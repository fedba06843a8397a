package import Foundation
import Synchronization

/// The time of day, but never earlier than it was: where the clock is set back, it goes on as fast
/// as time passes.
package final class SteadyClock: Sendable {
    private struct Reading {
        var time: Date
        var passed: Duration
    }

    private let wall: @Sendable () -> Date
    private let passed: @Sendable () -> Duration
    private let latest: Mutex<Reading>

    /// `passed` is the time since some moment, by a clock that nobody sets.
    package init(wall: @escaping @Sendable () -> Date, passed: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.passed = passed
        latest = Mutex(Reading(time: wall(), passed: passed()))
    }

    package var now: Date {
        latest.withLock { latest in
            let passed = passed()
            let earliest = latest.time.addingTimeInterval((passed - latest.passed) / .seconds(1))
            latest = Reading(time: max(wall(), earliest), passed: passed)
            return latest.time
        }
    }

    /// Time since this was first asked for, sleep of the machine included.
    package static let sinceStart: @Sendable () -> Duration = {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }()
}
