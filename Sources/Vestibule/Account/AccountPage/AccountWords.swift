import Essentials
import Foundation
import Serving

/// Devices, events and times of an account, in the visitor's language.
struct AccountWords {
    let pages: Pages
    let context: SignedInContext
    let now: Date
    /// Seconds. Being seen is written once a minute.
    private static let active: TimeInterval = 120

    func row(_ session: Session, isCurrent: Bool) -> Values {
        [
            "id": session.id.rawValue,
            "device": device(session.userAgent),
            "address": session.address?.description ?? pages.sentence("account.unknown_address", context),
            "first_seen": time(session.createdAt),
            "last_seen": time(session.lastSeenAt),
            "active": isCurrent || now.timeIntervalSince(session.lastSeenAt) < Self.active,
            "current": isCurrent,
        ]
    }

    func line(_ activity: Activity) -> Values {
        let event = activity.event
        var line: Values = [
            "what": pages.sentence("activity.\(event.kind.name)", context), "at": time(event.at),
        ]
        // Neither is there of what no visitor did.
        if event.address != nil || !event.userAgent.isEmpty { line["device"] = device(event.userAgent) }
        if let address = event.address { line["address"] = address.description }
        if activity.times > 1 {
            line["times"] = pages.sentence("activity.times", context, ["count": "\(activity.times)"])
        }
        return line
    }

    /// Whether there are words for it: a newer version may have kept other kinds.
    func tells(_ event: SecurityEvent) -> Bool {
        let key = "activity.\(event.kind.name)"
        return !pages.sentence(key, context).isExactly(key)
    }

    func time(_ date: Date) -> Values {
        pages.time(date, context)
    }

    /// "Chrome on Linux".
    private func device(_ userAgent: String) -> String {
        let device = Device(userAgent: userAgent)
        guard let browser = device.browser, let system = device.system else {
            return device.name ?? pages.sentence("account.unknown_device", context)
        }
        return pages.sentence("account.device", context, ["browser": browser, "system": system])
    }
}

/// What happened around an account, as its owner sees it: the same thing several times in a row is
/// one line.
struct Activity: Sendable, Equatable {
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
