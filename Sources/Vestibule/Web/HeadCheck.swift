import NIOCore
import NIOHTTP1

/// Refuses with 400, as what is not HTTP, a request with two `Host` fields, or with none unless it is HTTP/1.0
/// (RFC 9112 section 3.2). Nothing here believes `Host`, but a proxy that picked the other one would disagree with us.
final class HostCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), !Self.isClear(head) {
            hasRefused = true
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        } else {
            context.fireChannelRead(data)
        }
    }

    private static func isClear(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"].count
        return hosts == 1 || hosts == 0 && head.version == .http1_0
    }
}
