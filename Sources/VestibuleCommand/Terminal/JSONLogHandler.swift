import Foundation
import Logging

/// One JSON object a line on stderr: moment in UTC (RFC 3339), level, event and what belongs to it.
struct JSONLogHandler: LogHandler {
    let label: String
    var logLevel: Logger.Level = .info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String) {
        self.label = label
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line: [String: String] = [:]
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }) {
            line[key] = "\(value)"
        }
        line["datetime"] = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        line["appid"] = label
        line["level"] = event.level.rawValue
        line["message"] = "\(event.message)"
        guard let json = try? JSONSerialization.data(withJSONObject: line, options: [.sortedKeys]) else { return }
        let shown = Printable.json(String(decoding: json, as: UTF8.self)) + "\n"
        // A log that cannot be written must not end the process.
        try? FileHandle.standardError.write(contentsOf: Data(shown.utf8))
    }
}
