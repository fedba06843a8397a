import Essentials

/// Cuts a row of encoded characters into lines: after a space where there is one, and never inside
/// a number.
enum LineFiller {
    /// `limit` is in bytes; a unit that is wider gets a line of its own.
    static func lines(_ units: EncodedUnits, limit: Int) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        while start < units.count {
            let end = nextBreak(units, from: start, limit: limit)
            lines.append(units[start..<end])
            start = end
        }
        return lines
    }

    private static func nextBreak(_ units: EncodedUnits, from start: Int, limit: Int) -> Int {
        var end = start
        while end < units.count, units[start..<end + 1].count <= limit { end += 1 }
        guard end < units.count else { return end }
        guard end > start else { return start + 1 }
        let candidates = (start + 1...end).reversed()
        return candidates.first { isSpace(units[$0 - 1]) }
            ?? candidates.first { !(isDigit(units[$0 - 1]) && isDigit(units[$0])) }
            ?? end
    }

    private static func isSpace(_ unit: ArraySlice<UInt8>) -> Bool {
        guard unit.count == 1, let byte = unit.first else { return false }
        return byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ unit: ArraySlice<UInt8>) -> Bool {
        unit.count == 1 && unit.allSatisfy(\.isASCIIDigit)
    }
}
