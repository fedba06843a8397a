import Foundation
import Synchronization

/// Lets the first of many like warnings through and counts the others, minute by minute.
final class WarningSampler: Sendable {
    /// In seconds.
    static let minute: TimeInterval = 60
    /// Written of one name and source in a minute, and of one name from all sources.
    static let perSource = 10
    static let perName = 100

    private struct Minute {
        let start: Date
        var written = 0
        var leftOut = 0
        /// Of those that were written: so there are never more than `perName`.
        var sources: [String: Int] = [:]

        /// A clock that was put back ends it, too.
        func isOver(at now: Date) -> Bool { !(0..<WarningSampler.minute).contains(now.timeIntervalSince(start)) }
    }

    private let minutes = Mutex<[String: Minute]>([:])

    /// Whether that warning is to be written, at most so many of each source; otherwise it is
    /// counted.
    func admits(_ name: String, from source: String, at now: Date, atMost: Int = perSource) -> Bool {
        minutes.withLock { minutes in
            var minute = minutes[name] ?? Minute(start: now)
            defer { minutes[name] = minute }
            let fromSource = minute.sources[source, default: 0]
            guard minute.written < Self.perName, fromSource < atMost else {
                minute.leftOut += 1
                return false
            }
            minute.written += 1
            minute.sources[source] = fromSource + 1
            return true
        }
    }

    /// Forgets the minutes that are over. Returns how many warnings were left out in them, by name.
    func finish(at now: Date) -> [(name: String, leftOut: Int)] {
        minutes.withLock { minutes in
            let over = minutes.filter { $0.value.isOver(at: now) }
            for name in over.keys { minutes[name] = nil }
            return Self.leftOut(over)
        }
    }

    /// How many warnings were left out in the minutes that are kept, by name. Others that end at
    /// the same time may still be counted.
    func leftOut() -> [(name: String, leftOut: Int)] {
        minutes.withLock { Self.leftOut($0) }
    }

    private static func leftOut(_ minutes: [String: Minute]) -> [(name: String, leftOut: Int)] {
        minutes.map { (name: $0.key, leftOut: $0.value.leftOut) }.filter { $0.leftOut > 0 }.sorted { $0.name < $1.name }
    }
}
