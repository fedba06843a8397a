import Foundation
import Synchronization

/// A clock that stands until it is moved.
final class TestClock: Sendable {
    private let time: Mutex<Date>

    init(_ start: Date = Date(timeIntervalSince1970: 1_795_000_000)) {
        time = Mutex(start)
    }

    var now: Date { time.withLock { $0 } }

    func advance(by duration: Duration) {
        let seconds = TimeInterval(duration.components.seconds)
        time.withLock { $0 += seconds }
    }
}
