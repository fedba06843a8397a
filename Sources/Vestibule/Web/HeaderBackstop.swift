import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The security headers on what never reaches a route: the 400 for a request that is not HTTP.
final class HeaderBackstop: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let headers: HTTPFields

    init(headers: HTTPFields) {
        self.headers = headers
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headerFields[.contentSecurityPolicy] == nil
        else {
            return context.write(data, promise: promise)
        }
        head.headerFields.append(contentsOf: headers)
        head.headerFields[.cacheControl] = "no-store"
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
