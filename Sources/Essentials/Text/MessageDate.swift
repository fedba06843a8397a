package import FoundationEssentials

/// The two ways a mail writes its time, both UTC.
package enum MessageDate {
    /// `Sat, 21 Nov 2026 06:51:33 +0000` (RFC 5322, 3.3).
    package static func header(_ date: Date) -> String { "\(dayAndTime(date)) +0000" }

    /// `Sat, 21 Nov 2026 06:51:33`: how dates begin in mails and in HTTP (RFC 9110 section 5.6.7).
    package static func dayAndTime(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: date)
        let day = weekdays[((parts.weekday ?? 1) - 1) % weekdays.count]
        let month = months[((parts.month ?? 1) - 1) % months.count]
        let time = [parts.hour, parts.minute, parts.second].map { twoDigits($0 ?? 0) }.joined(separator: ":")
        return "\(day), \(twoDigits(parts.day ?? 1)) \(month) \(parts.year ?? 0) \(time)"
    }

    /// `20261121T065133.123Z`: file names that sort by time.
    package static func fileName(_ date: Date) -> String {
        // The style cuts where we want it rounded, and .123 is .12299… as a Date.
        date.addingTimeInterval(0.000_5).formatted(fileStyle)
    }

    /// Reads what `fileName` wrote.
    package static func date(fileName: some StringProtocol) -> Date? { try? fileStyle.parse(String(fileName)) }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static let fileStyle = Date.ISO8601FormatStyle(
        dateSeparator: .omitted,
        timeSeparator: .omitted,
        includingFractionalSeconds: true,
        timeZone: .gmt
    )

    package static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
