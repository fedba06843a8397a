import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Cuts off clients that dribble: 30 seconds after the connection or the last answer there must be
/// a head of a request, and 30 seconds after that an answer on its way, of which the client, once
/// 30 seconds are over, takes at least `takenAtLeast` in each 30 seconds; and those that send on
/// and on after they were told that it is too much. And puts our headers on the 400 for what is not
/// HTTP, which never reaches a route, and says what to do where headers are too large.
///
/// One handler for all, and it unwraps little in the usual case: it meets every part of every
/// request.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Bytes of a refused body that are read, because many clients look for the answer only when
    /// they have sent all.
    static let bodyAtMost = 8 * 1024 * 1024
    /// Bytes of an answer: a kilobyte a second.
    static let takenAtLeast = 32 * 1024
    /// For headers, or a URL, that are too large (RFC 6585 section 5): nearly always cookies, some
    /// of them of other sites below the same domain.
    private static let tooMuch =
        "This request is too large, mostly because of cookies: delete those of this site, and try again.\n"
    private let headers: HTTPFields
    private let patience: TimeAmount
    private var fault: (any Error)?
    private var isIdle = true
    private var bodyBytes = 0
    private var deadline: NIODeadline = .distantFuture
    private var timer: Scheduled<Void>?
    /// Bytes of the answer that the client had not taken when the timer rang last.
    private var unsent = Int.max

    init(headers: HTTPFields, patience: Duration = ConnectionSettings.patience) {
        (self.headers, self.patience) = (headers, TimeAmount(patience))
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.eventLoop.now + patience
        wait(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        // The first head after an answer. Bodies, early or late, do not extend the deadline.
        case .head where isIdle:
            isIdle = false
            bodyBytes = 0
            deadline = context.eventLoop.now + patience
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            guard bodyBytes <= Self.bodyAtMost else { return context.close(promise: nil) }
        case .head, .end: break
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fault = error
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let fault, case .head(var head) = unwrapOutboundIn(data), head.headerFields[.contentSecurityPolicy] == nil
        else { return context.write(data, promise: promise) }
        head.headerFields.append(contentsOf: headers)
        head.headerFields[.cacheControl] = "no-store"
        guard case .headerOverflow? = fault as? HTTPParserError else {
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
        head.status = .requestHeaderFieldsTooLarge
        head.headerFields[.contentType] = "text/plain; charset=utf-8"
        head.headerFields[.contentLength] = "\(Self.tooMuch.utf8.count)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(string: Self.tooMuch))), promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        isIdle = true
        hasAnswered(context.eventLoop)
        context.flush()
    }

    /// An answer is on its way, perhaps one that was not written through here.
    func hasAnswered(_ loop: any EventLoop) {
        deadline = loop.now + patience
        unsent = .max
    }

    /// One timer a connection, set anew only when it rings.
    private func wait(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            if self.deadline <= context.eventLoop.now {
                guard self.isTaken(context) else { return context.close(promise: nil) }
                self.deadline = context.eventLoop.now + self.patience
            }
            self.wait(context)
        }
    }

    /// Whether an answer is still being sent, and the client takes it, however slowly.
    private func isTaken(_ context: ChannelHandlerContext) -> Bool {
        let before = unsent
        unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        return unsent > 0 && before - unsent >= Self.takenAtLeast
    }
}
