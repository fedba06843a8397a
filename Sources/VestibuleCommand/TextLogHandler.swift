import Logging

/// One line an event on stderr, as swift-log writes it, whatever stands in it: what strangers say neither ends a line nor
/// steers a terminal.
struct TextLogHandler: LogHandler {
    private var stream: StreamLogHandler

    init(label: String) {
        stream = .standardError(label: label)
    }

    var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue.mapValues(Self.shown) }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { stream.metadataProvider }
        set { stream.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue.map(Self.shown) }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(Printable.text("\(event.message)"))"
        event.metadata = event.metadata?.mapValues(Self.shown)
        stream.log(event: event)
    }

    private static func shown(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        .string(Printable.text("\(value)"))
    }
}
