import Hummingbird
import HummingbirdCore

extension HTTP1Channel.Configuration {
    /// HTTP/1.1 with a deadline a request, small headers (16 KiB together, 100 of them), and our headers on every answer.
    static func frontDoor(_ settings: Settings) -> Self {
        let headers = SecurityHeaders(settings).headers
        return .init(
            additionalChannelHandlers: [ConnectionGuard(headers: headers)],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 16 * 1024, maxHeaderFieldCount: 100
            )
        )
    }
}
