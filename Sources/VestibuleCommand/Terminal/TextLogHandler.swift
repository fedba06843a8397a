import Logging

/// One line an event on stderr, as swift-log writes it, whatever stands in it: what strangers say
/// neither ends a line nor steers a terminal.
struct TextLogHandler: LogHandler {
    private var stream: StreamLogHandler
    /// Cleaned when a line is written, as most requests write none.
    var metadata: Logger.Metadata = [:]

    init(label: String) {
        stream = .standardError(label: label)
    }

    var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { stream.metadataProvider }
        set { stream.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(Printable.text("\(event.message)"))"
        event.metadata = metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).mapValues(Self.shown)
        stream.log(event: event)
    }

    private static func shown(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        .string(Printable.text("\(value)"))
    }
}
