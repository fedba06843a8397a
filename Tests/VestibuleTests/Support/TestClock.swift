import Foundation
import Synchronization

@testable import Essentials

/// A clock that stands until it is moved.
final class TestClock: Sendable {
    private let time: Mutex<(now: Date, passed: Duration)>

    init(_ start: Date = Date(timeIntervalSince1970: 1_795_000_000)) {
        time = Mutex((start, .zero))
    }

    var now: Date { time.withLock { $0.now } }

    /// Time that has gone by, however the clock was set.
    var passed: Duration { time.withLock { $0.passed } }

    func advance(by duration: Duration) {
        time.withLock { $0.passed += duration }
        set(by: TimeInterval(duration.components.seconds))
    }

    /// Sets it, forward or back, while no time goes by.
    func set(by seconds: TimeInterval) {
        time.withLock { $0.now += seconds }
    }
}
