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
        let fields = Fields(head.headers)
        guard fields.areClear(in: head.version), fields.isStreamSafe, Self.isStreamSafe(head.uri) else {
            hasRefused = true
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        // Not in the midst of the answer to an earlier request: who gets no 100 sends its body after a while.
        if fields.waits, !isAnswering, head.version == .http1_1 {
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

    private static func isStreamSafe(_ target: String) -> Bool {
        guard target.utf8.contains(UInt8(ascii: "%")) else { return target.isStreamSafe }
        // Piece by piece, as routes read it: a broken escape in one must not hide what stands in another.
        return target.utf8.split { "/?&=".utf8.contains($0) }.allSatisfy { piece in
            let text = String(Substring(piece))
            return (text.removingPercentEncoding ?? text).isStreamSafe
        }
    }
}

/// What the check needs of the header fields, read in one pass: every request pays for it.
private struct Fields {
    private var hosts = 0
    private var codings: [String] = []
    private var expects100 = false
    private var isTooLong = false
    private(set) var isStreamSafe = true

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            isStreamSafe = isStreamSafe && value.isStreamSafe
            switch name.utf8.count {
            case 4: if name.isIgnoringCase("host") { hosts += 1 }
            case 6: if name.isIgnoringCase("expect"), value.isIgnoringCase("100-continue") { expects100 = true }
            case 14: if name.isIgnoringCase("content-length") { isTooLong = (Int(value) ?? .max) > Form.bodyLimit }
            case 17: if name.isIgnoringCase("transfer-encoding") { codings.append(value.asciiLowercased) }
            default: break
            }
        }
    }

    func areClear(in version: HTTPVersion) -> Bool {
        guard hosts == 1 || hosts == 0 && version == .http1_0 else { return false }
        return codings.isEmpty || version != .http1_0 && codings == ["chunked"]
    }

    /// Whether the client sends its body only when told to; not one that will be refused as too large.
    var waits: Bool { expects100 && !isTooLong }
}
