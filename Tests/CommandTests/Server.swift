import Foundation
import FoundationNetworking

/// `vestibule serve` on a port of its own, spoken to over real HTTP.
struct Server: Sendable {
    let port: Int
    private let pid: Int32
    private let ended: Task<Int32, Never>
    private let session: URLSession

    /// Starts and waits until it listens.
    init(_ program: Program, environment: [String: String] = [:]) async throws {
        let (process, _, errors) = program.prepare(["serve", "--port", "0"], environment)
        let (exits, exit) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { exit.yield($0.terminationStatus) }
        try process.run()
        pid = process.processIdentifier
        ended = Task { await exits.first { _ in true } ?? -1 }
        var found: Int?
        for await line in Self.lines(of: errors) {
            if let match = line.firstMatch(of: /listening on [^ ]*:(\d+)/) { found = Int(match.output.1) }
            if found != nil { break }
        }
        guard let found else { throw NotListening() }
        port = found
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    struct NotListening: Error {}

    /// One request; no redirect is followed.
    func send(
        _ path: String, form: String? = nil, cookie: String? = nil
    ) async throws -> (status: Int, headers: [AnyHashable: Any], body: String) {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.timeoutInterval = 20
        if let form {
            request.httpMethod = "POST"
            request.httpBody = Data(form.utf8)
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (response.statusCode, response.allHeaderFields, String(decoding: data, as: UTF8.self))
    }

    /// Sends a signal and waits for the end; returns the exit status.
    func end(_ signal: Int32) async -> Int32 {
        kill(pid, signal)
        return await ended.value
    }

    private static func lines(of pipe: Pipe) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread {
            var rest = ""
            while true {
                let data = handle.availableData
                if data.isEmpty { break }
                rest += String(decoding: data, as: UTF8.self)
                var parts = rest.components(separatedBy: "\n")
                rest = parts.removeLast()
                parts.forEach { continuation.yield($0) }
            }
            continuation.finish()
        }
        return stream
    }
}

private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
