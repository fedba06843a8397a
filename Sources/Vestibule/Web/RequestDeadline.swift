import NIOCore
import NIOHTTPTypes

/// Cuts off clients that dribble: a request must be complete within 30 seconds of the connection or the last answer.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    static let patience: TimeAmount = .seconds(30)
    /// When the client's time is up; `nil` while a request is being answered.
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        start(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { deadline = nil }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { start(context) }
        context.write(data, promise: promise)
    }

    private func start(_ context: ChannelHandlerContext) {
        deadline = context.eventLoop.now + Self.patience
        if timer == nil { wait(context, until: context.eventLoop.now + Self.patience) }
    }

    /// One timer a connection, set anew only when it rings: setting one for each request costs more than the request.
    private func wait(_ context: ChannelHandlerContext, until time: NIODeadline) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            let now = context.eventLoop.now
            guard let deadline = self.deadline else { return self.wait(context, until: now + Self.patience) }
            if deadline <= now {
                context.close(promise: nil)
            } else {
                self.wait(context, until: deadline)
            }
        }
    }
}
