import Essentials

/// Cuts a row of encoded characters into lines: after a space where there is one, and never inside
/// a number.
enum LineFiller {
    static func lines(_ units: [String], limit: Int) -> [String] {
        var lines: [String] = []
        var start = 0
        while start < units.count {
            let end = nextBreak(units, from: start, limit: limit)
            lines.append(units[start..<end].joined())
            start = end
        }
        return lines
    }

    private static func nextBreak(_ units: [String], from start: Int, limit: Int) -> Int {
        var end = start
        var width = 0
        while end < units.count, width + units[end].utf8.count <= limit {
            width += units[end].utf8.count
            end += 1
        }
        guard end < units.count else { return end }
        // A unit wider than the limit gets a line of its own, so that the caller always advances.
        guard end > start else { return start + 1 }
        let candidates = (start + 1...end).reversed()
        return candidates.first { isSpace(units[$0 - 1]) }
            ?? candidates.first { !(isDigit(units[$0 - 1]) && isDigit(units[$0])) }
            ?? end
    }

    private static func isSpace(_ unit: String) -> Bool { unit == " " || unit == "\t" || unit == "_" }

    private static func isDigit(_ unit: String) -> Bool { unit.utf8.count == 1 && unit.utf8.allSatisfy(\.isASCIIDigit) }
}
