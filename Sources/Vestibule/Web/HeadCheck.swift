import Foundation
import NIOCore
import NIOHTTP1

/// Refuses with 400, as what is not HTTP, a head that a proxy might read otherwise than we do: with two `Host` fields, or
/// with none unless it is HTTP/1.0, or with a `Host` or target that names no host (RFC 9112 section 3.2); with
/// `Transfer-Encoding` in HTTP/1.0 or another than `chunked` (section 6.1). And one with towers of combining marks, which
/// would be costly to compare. Answers `Expect: 100-continue` (RFC 9110 section 10.1.1), and says whether the connection
/// lives on (RFC 9112 section 9.3). Tells the gate where requests begin and end, and when they are answered: one handler
/// does it all, as each one more is felt in every request.
final class HeadCheck: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let gate: PipelineGate
    private var hasRefused = false
    /// Whether the end of the latest request has not come yet.
    private var isInsideRequest = false
    /// What `Connection` says in the answers to come, one a request.
    private var endings = CircularBuffer<String?>()

    init(_ gate: PipelineGate) {
        self.gate = gate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        var head: HTTPRequestHead
        switch unwrapInboundIn(data) {
        case .head(let next): head = next
        case .body: return context.fireChannelRead(data)
        case .end:
            isInsideRequest = false
            gate.endRead()
            return context.fireChannelRead(data)
        }
        gate.headRead(RequestFraming.Body(head.headers))
        let fields = Fields(head.headers)
        guard fields.areClear(in: head), fields.isStreamSafe, Self.isStreamSafe(head.uri) else {
            hasRefused = true
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        // Not in the midst of the answer to an earlier request: who gets no 100 sends its body after a while.
        if fields.waits, endings.isEmpty, head.version == .http1_1 {
            let goOn = HTTPResponseHead(version: head.version, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
        }
        isInsideRequest = true
        endings.append(fields.ending(in: head.version))
        guard fields.closes(in: head.version) else { return context.fireChannelRead(data) }
        // Hummingbird looks for just this word, and closes after the answer.
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // The rest of a body turned out to be broken when its request was answered already: one answer is enough.
            guard !isInsideRequest || !endings.isEmpty else {
                promise?.fail(ChannelError.ioOnClosedChannel)
                return context.close(promise: nil)
            }
            guard let ending = endings.first ?? nil else { return context.write(data, promise: promise) }
            head.headers.replaceOrAdd(name: "connection", value: ending)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            _ = endings.popFirst()
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenComplete { [gate] _ in gate.flushed() }
            gate.answered()
            context.write(data, promise: written)
        }
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
    private var host: String?
    private var hasTwoHosts = false
    private var connection: Set<String> = []
    private var codings: [String] = []
    private var expects100 = false
    private var isTooLong = false
    private(set) var isStreamSafe = true

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            isStreamSafe = isStreamSafe && value.isStreamSafe
            switch name.utf8.count {
            case 4:
                if name.isIgnoringCase("host") {
                    hasTwoHosts = host != nil
                    host = value
                }
            case 6: if name.isIgnoringCase("expect"), value.isIgnoringCase("100-continue") { expects100 = true }
            case 10: if name.isIgnoringCase("connection") { connection.formUnion(Self.words(value)) }
            case 14: if name.isIgnoringCase("content-length") { isTooLong = (Int(value) ?? .max) > Form.bodyLimit }
            case 17: if name.isIgnoringCase("transfer-encoding") { codings.append(value.asciiLowercased) }
            default: break
            }
        }
    }

    func areClear(in head: HTTPRequestHead) -> Bool {
        let isOld = head.version == .http1_0
        guard !hasTwoHosts, host != nil || isOld, codings.isEmpty || !isOld && codings == ["chunked"],
            Authority.isValid(target: head.uri, of: head.method.rawValue)
        else { return false }
        guard let host else { return true }
        // Empty only where the target has no authority either (RFC 9112 section 3.2).
        return host.isEmpty ? head.uri.utf8.first == UInt8(ascii: "/") || head.uri == "*" : Authority.isValid(host.utf8)
    }

    /// Whether the connection ends with the answer.
    func closes(in version: HTTPVersion) -> Bool {
        // Characters: a set of words.
        connection.contains("close") || version == .http1_0 && !connection.contains("keep-alive")
    }

    /// What `Connection` says in the answer; nil where nothing needs to be said.
    func ending(in version: HTTPVersion) -> String? {
        closes(in: version) ? "close" : version == .http1_0 ? "keep-alive" : nil
    }

    /// The words of a list, in lower case; read as bytes, so that nothing hides a comma.
    private static func words(_ value: String) -> [String] {
        value.parts(by: ",").map(\.trimmingSpaces.asciiLowercased).filter { !$0.isEmpty }
    }

    /// Whether the client sends its body only when told to; not one that will be refused as too large.
    var waits: Bool { expects100 && !isTooLong }
}
