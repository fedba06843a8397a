import Foundation
import Logging
import Vestibule

/// One line an event on stderr, whatever stands in it: what strangers say neither ends a line nor
/// steers a terminal.
struct LineLogHandler: LogHandler {
    let label: String
    let format: Settings.LogFormat
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).mapValues { "\($0)" }
        switch format {
        case .text: writeText(event, metadata)
        case .json: writeJSON(event, metadata)
        }
    }

    /// As swift-log writes it, with values in quotes that would read as several.
    private func writeText(_ event: LogEvent, _ metadata: [String: String]) {
        var event = event
        event.message = "\(Printable.text("\(event.message)"))"
        event.metadata = metadata.mapValues { .string(Self.quoted(Printable.text($0))) }
        StreamLogHandler.standardError(label: label, metadataProvider: metadataProvider).log(event: event)
    }

    /// In quotes, and with `\"` and `\\` within, where there is a space or a quote: a stranger's
    /// text must not look like another field.
    private static func quoted(_ value: String) -> String {
        guard value.unicodeScalars.contains(where: { $0 == "\"" || $0.properties.isWhitespace }) else { return value }
        let within = value.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(within)\""
    }

    /// One object: moment in UTC (RFC 3339), level, event and what belongs to it.
    private func writeJSON(_ event: LogEvent, _ metadata: [String: String]) {
        var line = metadata
        line["datetime"] = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        line["appid"] = label
        line["level"] = event.level.rawValue
        line["message"] = "\(event.message)"
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? JSONSerialization.data(withJSONObject: line, options: options) else { return }
        let shown = Printable.json(String(decoding: json, as: UTF8.self)) + "\n"
        // A log that cannot be written must not end the process.
        try? FileHandle.standardError.write(contentsOf: Data(shown.utf8))
    }
}
