import Essentials
import FoundationEssentials

/// A moment in UTC, to the minute, as a locale file writes dates. Foundation's own formats would
/// load the data of every language.
struct LocalDate: Sendable {
    /// Looks up a sentence and fills its values in.
    typealias Sentence = (_ key: String, _ values: [String: String]) -> String

    private let parts: DateComponents
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    init(_ date: Date) {
        parts = Self.calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    }

    /// `21 November 2026`
    func day(_ sentence: Sentence) -> String {
        let month = sentence("dates.month.\(parts.month ?? 1)", [:])
        return sentence("dates.day", ["day": "\(parts.day ?? 1)", "month": month, "year": "\(parts.year ?? 0)"])
    }

    /// `21 November 2026, 06:51 UTC`
    func dateAndTime(_ sentence: Sentence) -> String {
        let time = [parts.hour, parts.minute].map { MessageDate.twoDigits($0 ?? 0) }.joined(separator: ":")
        return sentence("dates.moment", ["date": day(sentence), "time": time, "zone": sentence("dates.utc", [:])])
    }
}
