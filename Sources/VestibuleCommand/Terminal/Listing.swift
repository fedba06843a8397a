import Essentials
import Foundation

/// A line of a listing: an object in JSON, cells of a table as text.
protocol ListedRow: Encodable {
    static var columns: [String] { get }
    var cells: [String] { get }
}

/// Rows on stdout, page after page: a table under one line of headings, or one JSON object a line.
struct Listing<Row: ListedRow> {
    private let output = Output()
    private let isJSON: Bool
    private var widths: [Int] = []

    init(json: Bool) {
        isJSON = json
    }

    /// Prints a page. Columns never become narrower than they were.
    mutating func add(_ rows: [Row]) throws {
        if isJSON {
            try rows.forEach(output.json)
            return try output.flush()
        }
        let table = rows.map { $0.cells.map(Printable.text) }
        let heading = widths.isEmpty ? [Row.columns] : []
        if widths.isEmpty { widths = Row.columns.map(\.count) }
        for cells in table { widths = zip(widths, cells).map { max($0, $1.count) } }
        for cells in heading + table { try output.line(line(cells)) }
        try output.flush()
    }

    private func line(_ cells: [String]) -> String {
        let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        return padded.joined(separator: "  ").trimmingEnd
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        utf8.lastIndex { $0 != 0x20 }.map { String(Substring(utf8[...$0])) } ?? ""
    }
}

extension Date {
    /// As a reader likes it: `2026-11-21 06:51:33`, UTC.
    var utc: String {
        String(formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)).utf8.dropLast()) ?? ""
    }
}
