import Essentials
import Hummingbird
import Logging
import ServiceLifecycle

/// Stands in for the application: answers every request with its headers.
struct ProxyEcho {
    let host: String
    let port: Int
    /// In every answer.
    let echo: String

    /// Listens while the work is done, and ends with it.
    func serving<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try ListeningAddress(host: host, port: port).check()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let responder = CallbackResponder { [echo] (request: Request, _: BasicRequestContext) in
            let lines = request.headers.map { "\($0.name.canonicalName): \($0.value)" }
            return Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: ([echo] + lines).joined(separator: "\n"))))
        }
        var logger = Logger(label: "vestibule") { TextLogHandler(label: $0) }
        logger.logLevel = .critical
        let application = Application(
            responder: responder, configuration: .init(address: .hostname(host, port: port)),
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
