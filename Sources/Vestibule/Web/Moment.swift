import Foundation

/// Moments for people's eyes, the same in every language: `2026-11-21 06:51 UTC`.
enum Moment {
    static func text(_ date: Date) -> String {
        let utc = date.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt))
        return String(utc.prefix(16)) + " UTC"
    }
}
