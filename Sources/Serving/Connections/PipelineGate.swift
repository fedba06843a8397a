import NIOCore
import NIOHTTP1

/// First on a connection: hands the parser one request at a time, the next one when the answer
/// before it has been written to the socket. While bytes wait here nothing more is read, so a
/// client that sends and never reads costs one answer and what one read took; and what it sent
/// ahead is worked on in turns with other such clients.
final class PipelineGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes that may wait, though nothing is read: what had come when the other side closed.
    private static let waitingAtMost = 1024 * 1024
    /// On the side of the socket: what is written from here goes past all that makes answers.
    private(set) var context: ChannelHandlerContext?
    private let turns: PipelineTurns
    private var framing = RequestFraming()
    private var waiting = ByteBuffer()
    /// Requests without an answer, and answers that the socket has not taken.
    private var (unanswered, unflushed) = (0, 0)
    /// Whether the end of the latest request has not come yet.
    private(set) var isInsideRequest = false
    /// Whether what was sent ahead waits for a turn, and whether it has one.
    private var (isDeferred, hasTurn) = (false, false)
    private var isBroken = false
    private var (mustRead, mustEnd) = (false, false)

    init(turns: PipelineTurns) {
        self.turns = turns
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        endTurn()
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting.clear()
        endTurn()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        guard !isBroken else { return }
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
        guard waiting.readableBytes <= Self.waitingAtMost else { return context.close(promise: nil) }
        handOver(context)
    }

    func read(context: ChannelHandlerContext) {
        if waiting.readableBytes == 0 { context.read() } else { mustRead = true }
    }

    /// The end of what the client sends keeps its place behind what still waits, and behind an
    /// answer that the socket has not taken: who reads of the end may close the connection.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent, waiting.readableBytes > 0 || unflushed > 0 {
            mustEnd = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Hands over what the request under way may have, and the next request when none is under way.
    private func handOver(_ context: ChannelHandlerContext) {
        while waiting.readableBytes > 0, !isDeferred, isInsideRequest || unanswered + unflushed == 0 {
            let count = waiting.withUnsafeReadableBytes { framing.next($0) }
            guard let count, let piece = waiting.readSlice(length: count) else {
                isBroken = true
                waiting.clear()
                return context.fireErrorCaught(HTTPParserError.invalidChunkSize)
            }
            context.fireChannelRead(wrapInboundOut(piece))
        }
    }

    /// Called when the turn comes to what was sent ahead.
    func goOn() {
        (isDeferred, hasTurn) = (false, true)
        guard let context, context.channel.isActive else { return endTurn() }
        handOver(context)
        context.fireChannelReadComplete()
        // Nothing to work on: the rest of the request has to come first.
        if unanswered == 0 || isInsideRequest { endTurn() }
        resume(context)
    }

    /// Reads again, or tells of the end, once nothing waits.
    private func resume(_ context: ChannelHandlerContext) {
        guard waiting.readableBytes == 0 else { return }
        if mustEnd {
            mustEnd = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if mustRead {
            mustRead = false
            context.read()
        }
    }

    private func endTurn() {
        guard hasTurn else { return }
        hasTurn = false
        turns.leave()
    }
}

/// What the parser and the answers tell.
extension PipelineGate {
    func headRead(_ body: RequestFraming.Body) {
        unanswered += 1
        isInsideRequest = true
        framing.expect(body)
    }

    func endRead() {
        isInsideRequest = false
    }

    /// Whether the latest request was sent when no other had to be answered. One that was sent
    /// ahead must not be answered at once: turns that follow each other without a pause would keep
    /// the loop from its sockets.
    var isAlone: Bool { unanswered == 1 && unflushed == 0 && !hasTurn }

    /// The answer is made.
    func answered() {
        guard unanswered > 0 else { return }
        unanswered -= 1
        unflushed += 1
        if unanswered == 0 { endTurn() }
    }

    /// The answer has left for the socket.
    func flushed() {
        guard unflushed > 0 else { return }
        unflushed -= 1
        guard unanswered + unflushed == 0, let context, context.channel.isActive else { return }
        if waiting.readableBytes > 0 {
            isDeferred = true
            turns.join(self)
        } else {
            resume(context)
        }
    }
}
