import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization

/// Speaks to a house over sockets. Connections are kept for the next request, and requests that are
/// under way at the same time have one each.
final class HouseClient: Sendable {
    let port: Int
    private let idle = Mutex<[TestClient]>([])

    init(port: Int) {
        self.port = port
    }

    func send(
        _ method: HTTPRequest.Method, _ target: String, host: String = "localhost", headers: HTTPFields,
        body: ByteBuffer? = nil
    ) async throws -> Page {
        let connection = idle.withLock { $0.popLast() } ?? connect()
        let request = TestClient.Request(target, method: method, authority: host, headers: headers, body: body)
        let answer = try await connection.execute(request)
        if answer.headers[.connection] == "close" {
            try await connection.shutdown()
        } else {
            idle.withLock { $0.append(connection) }
        }
        return Page(status: answer.status, headers: answer.headers, body: answer.body.map { String(buffer: $0) } ?? "")
    }

    private func connect() -> TestClient {
        // The suite's limit of time ends a test; this is longer.
        let connection = TestClient(host: "127.0.0.1", port: port, configuration: .init(timeout: .seconds(1800)))
        connection.connect()
        return connection
    }
}
