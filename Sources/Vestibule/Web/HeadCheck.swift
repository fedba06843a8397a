import Foundation
import NIOCore
import NIOHTTP1

/// Refuses with 400, as what is not HTTP, a head that a proxy might read otherwise than we do: with two `Host` fields, or
/// with none unless it is HTTP/1.0 (RFC 9112 section 3.2); with `Transfer-Encoding` in HTTP/1.0 or another than `chunked`
/// (section 6.1). And one with towers of combining marks, which would be costly to compare. Answers
/// `Expect: 100-continue` (RFC 9110 section 10.1.1).
final class HeadCheck: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var hasRefused = false
    private var isAnswering = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        guard Self.isClear(head), Self.isStreamSafe(head) else {
            hasRefused = true
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        // Not in the midst of the answer to an earlier request: who gets no 100 sends its body after a while.
        if Self.waits(head), !isAnswering {
            let goOn = HTTPResponseHead(version: head.version, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
        }
        isAnswering = true
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { isAnswering = false }
        context.write(data, promise: promise)
    }

    private static func isClear(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"].count
        guard hosts == 1 || hosts == 0 && head.version == .http1_0 else { return false }
        let codings = head.headers["Transfer-Encoding"]
        return codings.isEmpty || head.version != .http1_0 && codings.map { $0.lowercased() } == ["chunked"]
    }

    private static func isStreamSafe(_ head: HTTPRequestHead) -> Bool {
        let target = head.uri.utf8.contains(UInt8(ascii: "%")) ? head.uri.removingPercentEncoding : nil
        return (target ?? head.uri).isStreamSafe && head.headers.allSatisfy { $0.value.isStreamSafe }
    }

    /// Whether the client sends its body only when told to; not for one that will be refused as too large.
    private static func waits(_ head: HTTPRequestHead) -> Bool {
        guard head.version == .http1_1, head.headers["Expect"].contains(where: { $0.lowercased() == "100-continue" })
        else { return false }
        return head.headers["Content-Length"].allSatisfy { Int($0).map { $0 <= Form.bodyLimit } ?? false }
    }
}
