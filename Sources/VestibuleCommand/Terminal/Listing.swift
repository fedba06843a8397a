import Essentials
import Foundation

/// What can be listed: an object in JSON, a line of a table as text.
protocol Listed {
    static var columns: [Column<Self>] { get }
}

/// A value of what is listed.
struct Column<Item>: Sendable {
    /// Nil for one that stands in JSON alone.
    let heading: String?
    /// In JSON, in snake case; nil for one that stands in the table alone.
    let key: String?
    let json: @Sendable (Item) -> (any Encodable)?
    let cell: @Sendable (Item) -> String

    /// `none` is the cell of nil.
    init<Value: Encodable & SendableMetatype>(
        _ heading: String?, _ key: String? = nil, none: String = "-", _ value: @escaping @Sendable (Item) -> Value?
    ) {
        (self.heading, self.key) = (heading, key)
        json = { value($0) }
        cell = { item in value(item).map { ($0 as? Date)?.utc ?? "\($0)" } ?? none }
    }

    /// Texts without spaces: a list in JSON, one after the other in the table.
    init(_ heading: String, _ key: String, texts: @escaping @Sendable (Item) -> [String]) {
        (self.heading, self.key) = (heading, key)
        json = texts
        cell = { item in texts(item).isEmpty ? "-" : texts(item).joined(separator: " ") }
    }
}

extension Listed {
    var json: JSONObject {
        Self.columns.reduce(into: [:]) { object, column in
            if let key = column.key { object[key] = column.json(self) }
        }
    }
}

/// Rows on stdout, page after page: a table under one line of headings, or one JSON object a line.
struct Listing<Item: Listed> {
    private let output = Output()
    private let isJSON: Bool
    private var widths: [Int] = []

    init(json: Bool) {
        isJSON = json
    }

    /// Prints a page. Columns never become narrower than they were.
    mutating func add(_ items: some Sequence<Item>) throws {
        if isJSON {
            for item in items { try output.json(item.json) }
            return try output.flush()
        }
        let columns = Item.columns.filter { $0.heading != nil }
        let table = items.map { item in columns.map { Printable.text($0.cell(item)) } }
        let heading = widths.isEmpty ? [columns.compactMap(\.heading)] : []
        if widths.isEmpty { widths = columns.map { $0.heading?.count ?? 0 } }
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
