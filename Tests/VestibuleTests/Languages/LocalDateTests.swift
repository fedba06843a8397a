import Foundation
import Testing

@testable import Essentials
@testable import Serving
@testable import Vestibule

@Suite struct LocalDateTests {
    @Test(arguments: [
        ("2026-11-21T06:51:59Z", "2026-11-21 06:51"), ("1970-01-01T00:00:00Z", "1970-1-1 00:00"),
        ("1969-12-31T23:59:59Z", "1969-12-31 23:59"), ("2000-02-29T12:00:00Z", "2000-2-29 12:00"),
        ("2028-03-01T00:00:00Z", "2028-3-1 00:00"), ("2100-02-28T23:59:00Z", "2100-2-28 23:59"),
        ("1900-01-01T00:00:00Z", "1900-1-1 00:00"),
    ])
    func `a moment is cut into year, month, day and time`(moment: String, parts: String) throws {
        let date = try Date(moment, strategy: .iso8601)
        let written = LocalDate(date).dateAndTime { key, values in
            switch key {
            case "dates.day": "\(values["year"] ?? "")-\(values["month"] ?? "")-\(values["day"] ?? "")"
            case "dates.moment": "\(values["date"] ?? "") \(values["time"] ?? "")"
            default: String(key.split(separator: ".").last ?? "")
            }
        }
        #expect(written == parts)
    }

    @Test func `every day of four hundred years is the calendar's`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: -25_567, through: 120_530, by: 1) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let written = LocalDate(date).day { key, values in
                key == "dates.day"
                    ? "\(values["year"] ?? "") \(values["month"] ?? "") \(values["day"] ?? "")"
                    : String(key.split(separator: ".").last ?? "")
            }
            let expected = "\(parts.year ?? 0) \(parts.month ?? 0) \(parts.day ?? 0)"
            guard written != expected else { continue }
            Issue.record("\(written) is not \(expected)")
            return
        }
    }

    @Test(arguments: [
        ("en", "21 November 2026, 06:51 UTC"), ("de", "21. November 2026, 06:51 Uhr (UTC)"),
    ])
    func `each language has its own way`(locale: String, text: String) throws {
        let templates = try House.content(House.settings([:])).pages.templates
        let date = try Date("2026-11-21T06:51:00Z", strategy: .iso8601)
        #expect(templates.dateAndTime(date, locale: locale) == text)
    }
}
