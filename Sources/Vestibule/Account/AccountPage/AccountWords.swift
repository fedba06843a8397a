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
            "device": device(session.userAgent), "icon": Device(userAgent: session.userAgent).icon,
            "address": session.address?.description ?? pages.sentence("account.unknown_address", context),
            "first_seen": time(session.lifetime.createdAt),
            "last_seen": time(session.lifetime.lastSeenAt),
            "active": isCurrent || now.timeIntervalSince(session.lifetime.lastSeenAt) < Self.active,
            "current": isCurrent,
        ]
    }

    func row(_ trusted: TrustedBrowser, isCurrent: Bool) -> Values {
        [
            "id": trusted.id, "device": device(trusted.userAgent), "current": isCurrent,
            "icon": Device(userAgent: trusted.userAgent).icon, "until": time(trusted.until),
        ]
    }

    /// The lines under their days, in UTC: of the visitor's own zone only a script knows. What goes
    /// on with the day of the line before has no heading.
    func days(_ activity: some Sequence<Activity>, after previous: Activity? = nil) -> [Values] {
        var last = previous.map(day(of:))
        var days: [(words: String?, lines: [Values])] = []
        for each in activity {
            let day = day(of: each)
            let goesOn = last?.isExactly(day) == true
            if !goesOn || days.isEmpty { days.append((goesOn ? nil : day, [])) }
            days[days.count - 1].lines.append(line(each))
            last = day
        }
        return days.map { day in
            var values: Values = ["lines": day.lines]
            values["day"] = day.words
            return values
        }
    }

    private func day(of activity: Activity) -> String {
        pages.templates.day(activity.event.at, locale: context.locale)
    }

    private func line(_ activity: Activity) -> Values {
        let event = activity.event
        var line: Values = [
            "what": pages.sentence("activity.\(event.kind.name)", context), "at": time(event.at),
            "icon": event.kind.icon, "failed": event.kind.isFailure,
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

extension Device {
    /// Its picture in `icons.svg`.
    fileprivate var icon: String {
        switch system {
        case "iPhone", "Android", "iOS": "phone"
        case "iPad": "tablet"
        case nil: "app"
        default: "laptop"
        }
    }
}

extension SecurityEvent.Kind {
    /// First match wins.
    private static let icons = [
        ("passkey", "key"), ("totp", "phone"), ("recovery_code", "codes"), ("password", "lock"), ("login", "in"),
        ("logout", "out"), ("session", "out"), ("trust", "shield"), ("factor", "shield"), ("proved", "shield"),
        ("email", "mail"), ("reset", "mail"), ("identity", "link"), ("export", "save"), ("terms", "codes"),
        ("consent", "app"),
    ]

    /// What somebody tried in vain, or what may be a thief's.
    fileprivate var isFailure: Bool {
        ["failed", "refused", "behind", "locked"].contains { name.holds($0) }
    }

    /// Its picture in `icons.svg`.
    fileprivate var icon: String {
        isFailure ? "alert" : Self.icons.first { name.holds($0.0) }?.1 ?? "person"
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
