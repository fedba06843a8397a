import NIOCore
import NIOHTTP1

/// Behind the parser: tells the gate where requests begin and end, and when they are answered.
final class PipelineWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let gate: PipelineGate

    init(_ gate: PipelineGate) {
        self.gate = gate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): gate.headRead(RequestFraming.Body(head.headers))
        case .body: break
        case .end: gate.endRead()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { [gate] _ in gate.flushed() }
        gate.answered()
        context.write(data, promise: written)
    }
}

extension RequestFraming.Body {
    init(_ headers: HTTPHeaders) {
        if headers.contains(name: "transfer-encoding") {
            self = .chunked
        } else {
            self = headers.first(name: "content-length").flatMap { Int($0) }.map { .sized($0) } ?? .none
        }
    }
}
