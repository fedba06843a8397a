import Hummingbird
import Logging
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle
import Vestibule

/// Stands in for the application: answers every request with its headers and what stood behind its
/// body.
struct ProxyEcho {
    let host: String
    let port: Int
    /// In every answer.
    let echo: String

    /// Listens while the work is done, and ends with it.
    func serving<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try ListeningAddress(
            host: host, port: port, hintIfTaken: "Stop the application meanwhile: this command listens in its place."
        ).check()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let responder = CallbackResponder { [echo] (request: Request, _: BasicRequestContext) in
            let lines = request.headers.map { "\($0.name.canonicalName): \($0.value)" }
            let trailers = try await request.body.collect(upTo: 1 << 16)
            // Nothing is read after a request for an upgrade.
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .connection: "close"],
                body: .init(
                    byteBuffer: ByteBuffer(
                        string: ([echo] + lines + [String(buffer: trailers)]).joined(separator: "\n"))))
        }
        var logger = Logger(label: "vestibule") { LineLogHandler(label: $0, format: .text) }
        logger.logLevel = .critical
        let application = Application(
            responder: responder, server: .http1(configuration: .init(additionalChannelHandlers: [TrailersInBody()])),
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { _ in start.finish() }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
        return try await withThrowingTaskGroup(of: Value?.self) { tasks in
            tasks.addTask {
                try await group.run()
                return nil
            }
            for await _ in started {}
            let value = try await work()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return value
        }
    }
}

/// Hands trailers on as the end of the body: nothing reads them else.
private final class TrailersInBody: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .end(let trailers?) = part {
            let text = trailers.map { "\n\($0.name.canonicalName): \($0.value)" }.joined()
            context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(string: text))))
        }
        context.fireChannelRead(wrapInboundOut(part))
    }
}
