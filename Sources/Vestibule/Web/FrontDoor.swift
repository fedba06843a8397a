import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypesHTTP1

/// One connection: HTTP/1.1 as Hummingbird speaks it, with a look at the head before anything else.
struct FrontDoor: ServerChildChannel {
    private let channel: HTTP1Channel

    /// Small headers (16 KiB together, 100 of them), a deadline a request, and our headers on every answer.
    init(_ settings: Settings, responder: @escaping HTTPChannelHandler.Responder) {
        let headers = SecurityHeaders(settings).headers
        channel = HTTP1Channel(
            responder: responder,
            configuration: .init(
                additionalChannelHandlers: [ConnectionGuard(headers: headers)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 16 * 1024, maxHeaderFieldCount: 100
                )
            )
        )
    }

    func setup(channel connection: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.setup(channel: connection, logger: logger).flatMapThrowing { value in
            let pipeline = connection.pipeline.syncOperations
            try pipeline.addHandler(HeadCheck(), position: .before(pipeline.handler(type: HTTP1ToHTTPServerCodec.self)))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await channel.handle(value: value, logger: logger)
    }
}
