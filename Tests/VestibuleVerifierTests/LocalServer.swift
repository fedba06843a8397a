import Hummingbird
import HummingbirdTesting
import Logging

/// A server on a port of its own, for the time of a test.
enum LocalServer {
    /// Answers every request with that; `body` gets its origin.
    static func run(
        answering: @escaping @Sendable (Request) -> Response,
        _ body: @escaping @Sendable (_ origin: String) async throws -> Void
    ) async throws {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in answering(request) }
        let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        try await Application(responder: responder, logger: silent).test(.live) { client in
            try await body("http://localhost:\(client.port ?? 0)")
        }
    }
}
