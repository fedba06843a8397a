package import Logging
import Synchronization

/// Keeps every log line, as one text each.
package final class LogRecorder: Sendable {
    private let kept = Mutex<[String]>([])
    private let level: Logger.Level

    package init(level: Logger.Level = .debug) {
        self.level = level
    }

    package var lines: [String] { kept.withLock { $0 } }

    package func lines(of event: String) -> [String] {
        lines.filter { $0.contains("event=\(event) ") || $0.hasSuffix("event=\(event)") }
    }

    package var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = level
        return logger
    }

    private func keep(_ line: String) {
        kept.withLock { $0.append(line) }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel: Logger.Level = .debug
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            recorder.keep("\(event.level) \(event.message) " + all.map { "\($0)=\($1)" }.joined(separator: " "))
        }
    }
}
