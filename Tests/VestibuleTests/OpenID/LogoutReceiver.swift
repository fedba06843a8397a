import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization

@testable import Serving

/// The server of an application that hears of logouts: it keeps what it is sent.
final class LogoutReceiver: Sendable {
    private let kept = Mutex<[(type: String?, path: String, form: [String: String])]>([])
    /// For each call the next of them, and the last for what comes after.
    private let answers: [HTTPResponse.Status]

    private init(_ answers: [HTTPResponse.Status]) {
        self.answers = answers
    }

    var told: [(type: String?, path: String, form: [String: String])] { kept.withLock { $0 } }

    /// Listens while the test runs, which gets its URL.
    static func run(
        answering answers: [HTTPResponse.Status] = [.ok],
        _ test: @escaping @Sendable (LogoutReceiver, _ url: String) async throws -> Void
    ) async throws {
        let receiver = LogoutReceiver(answers)
        let responder = CallbackResponder<BasicRequestContext> { request, _ in try await receiver.take(request) }
        let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        try await Application(responder: responder, logger: silent).test(.live) { client in
            try await test(receiver, "http://127.0.0.1:\(client.port ?? 0)/out?from=door")
        }
    }

    private func take(_ request: Request) async throws -> Response {
        let form = try await Form(request).all
        let number = kept.withLock { kept in
            kept.append((request.headers[.contentType], request.uri.string, form))
            return kept.count - 1
        }
        return Response(status: answers[min(number, answers.count - 1)])
    }
}
