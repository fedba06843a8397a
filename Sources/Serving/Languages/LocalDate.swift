import struct FoundationEssentials.Date

/// A moment in UTC, to the minute, as a locale file writes dates. Foundation's own formats would
/// load the data of every language.
struct LocalDate: Sendable {
    /// Looks up a sentence and fills its values in.
    typealias Sentence = (_ key: String, _ values: [String: String]) -> String

    private let year: Int
    /// From 1.
    private let month: Int
    private let day: Int
    private let minuteOfDay: Int

    init(_ date: Date) {
        let minutes = Int((date.timeIntervalSince1970 / 60).rounded(.down))
        let days = minutes.quotient(by: 1440)
        minuteOfDay = minutes - days * 1440
        (year, month, day) = Self.civil(days)
    }

    /// `21 November 2026`
    func day(_ sentence: Sentence) -> String {
        let month = sentence("dates.month.\(month)", [:])
        return sentence("dates.day", ["day": "\(day)", "month": month, "year": "\(year)"])
    }

    /// `21 November 2026, 06:51 UTC`
    func dateAndTime(_ sentence: Sentence) -> String {
        let time = "\(Self.twoDigits(minuteOfDay / 60)):\(Self.twoDigits(minuteOfDay % 60))"
        return sentence("dates.moment", ["date": day(sentence), "time": time, "zone": sentence("dates.utc", [:])])
    }

    /// The Gregorian date so many days after 1 January 1970. Years are counted from 1 March, so
    /// that a leap day ends one.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.quotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
            era * 400 + year + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int {
    /// Rounded down, also for what is below zero.
    fileprivate func quotient(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : (self + 1) / divisor - 1
    }
}
