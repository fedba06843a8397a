import Foundation

/// What happened around an account, as its owner sees it: the same thing several times in a row is
/// one line.
struct Activity: Sendable, Equatable {
    /// How many events are shown.
    static let shown = 50

    let event: SecurityEvent
    let times: Int

    /// Newest first.
    static func lines(_ events: [SecurityEvent]) -> [Activity] {
        events.reduce(into: []) { lines, event in
            if let last = lines.last, last.event.isLike(event) {
                lines[lines.count - 1] = Activity(event: last.event, times: last.times + event.count)
            } else {
                lines.append(Activity(event: event, times: event.count))
            }
        }
    }
}

extension SecurityEvent {
    fileprivate func isLike(_ other: SecurityEvent) -> Bool {
        kind == other.kind && address == other.address && userAgent == other.userAgent
    }
}
