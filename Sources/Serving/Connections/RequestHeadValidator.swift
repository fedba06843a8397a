import Essentials
import NIOCore
import NIOHTTP1

/// Refuses with 400, as what is not HTTP, a head that a proxy might read otherwise than we do: with
/// two `Host` fields, or with none unless it is HTTP/1.0, or with a `Host` or target that names no
/// host (RFC 9112 section 3.2); with `Transfer-Encoding` in HTTP/1.0 or another than `chunked`
/// (section 6.1). And one with towers of combining marks, which would be costly to compare. Answers
/// `Expect: 100-continue` (RFC 9110 section 10.1.1), and says whether the connection lives on (RFC
/// 9112 section 9.3). Drops bodies that may not follow an answer. Tells the gate where requests
/// begin and end, and when they are answered: one handler does it all, as each one more is felt in
/// every request.
final class RequestHeadValidator: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let gate: PipelineGate
    private let prepared: PreparedResponder?
    /// What is sent when the request is over.
    private var answer: ByteBuffer?
    private var hasRefused = false
    /// Requests whose answers have not been written, oldest first.
    private var unanswered = CircularBuffer<Unanswered>()
    /// Of the answer that is being written.
    private var body: AnswerBody?

    private struct Unanswered {
        /// What `Connection` says in the answer.
        let ending: String?
        let isHead: Bool
    }

    init(_ gate: PipelineGate, _ prepared: PreparedResponder? = nil) {
        self.gate = gate
        self.prepared = prepared
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        var head: HTTPRequestHead
        switch unwrapInboundIn(data) {
        case .head(let next): head = next
        case .body: return context.fireChannelRead(data)
        case .end:
            gate.endRead()
            guard let answer else { return context.fireChannelRead(data) }
            self.answer = nil
            prepared?.send(answer, past: gate)
            return
        }
        let fields = HeadFields(head.headers)
        guard fields.areClear(in: head), fields.isStreamSafe, Self.isStreamSafe(head.uri) else {
            hasRefused = true
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        // Not in the midst of the answer to an earlier request: who gets no 100 sends its body
        // after a while.
        if fields.waits, unanswered.isEmpty, head.version == .http1_1 {
            let goOn = HTTPResponseHead(version: head.version, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
        }
        gate.headRead(RequestFraming.Body(head.headers))
        let ending = fields.ending(head)
        if ending == nil, gate.isAlone { answer = prepared?.answer(to: head, fields) }
        guard answer == nil else { return }
        unanswered.append(Unanswered(ending: ending, isHead: head.method == .HEAD))
        let authority = Authority.authority(ofTarget: head.uri)
        guard fields.closes(head) || authority != nil else { return context.fireChannelRead(data) }
        // The codec drops an authority in the target, which stands for the host whatever the field
        // says (RFC 9112 section 3.2.2).
        if let authority { head.headers.replaceOrAdd(name: "host", value: String(Substring(authority))) }
        guard fields.closes(head) else { return context.fireChannelRead(wrapInboundOut(.head(head))) }
        // Hummingbird looks for just this word, and closes after the answer.
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // The rest of a body turned out to be broken when its request was answered already: one
            // answer is enough.
            guard !gate.isInsideRequest || !unanswered.isEmpty else {
                promise?.fail(ChannelError.ioOnClosedChannel)
                return context.close(promise: nil)
            }
            let request = unanswered.first
            if let ending = request?.ending { head.headers.replaceOrAdd(name: "connection", value: ending) }
            let body = AnswerBody(of: head, isToHead: request?.isHead ?? false)
            self.body = body
            body.holdsHead ? promise?.succeed(()) : context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let bytes):
            let isSent = body?.isSent(bytes.readableBytes) ?? true
            isSent ? context.write(data, promise: promise) : promise?.succeed(())
        case .end:
            _ = unanswered.popFirst()
            if let head = body?.heldHead { context.write(wrapOutboundOut(.head(head)), promise: nil) }
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenComplete { [gate] _ in gate.flushed() }
            gate.answered()
            context.write(data, promise: written)
        }
    }

    private static func isStreamSafe(_ target: String) -> Bool {
        guard target.utf8.contains(UInt8(ascii: "%")) else { return target.isStreamSafe }
        // Piece by piece, as routes read it: a broken escape in one must not hide what stands in
        // another.
        return target.utf8.split { "/?&=".utf8.contains($0) }.allSatisfy { piece in
            let text = String(Substring(piece))
            return (text.percentDecoded ?? text).isStreamSafe
        }
    }
}
