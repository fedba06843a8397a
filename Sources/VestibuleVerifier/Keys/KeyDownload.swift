import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One download with limits that `URLSession` does not have: of time for the whole, and of bytes.
final class KeyDownload: NSObject, URLSessionDataDelegate {
    private typealias Chunks = AsyncThrowingStream<Data, any Error>
    private let chunks: Chunks.Continuation
    private static let bytesAtMost = 65_536
    private static let timeLimit = Duration.seconds(5)

    private init(_ chunks: Chunks.Continuation) {
        self.chunks = chunks
    }

    /// The body of a 200. Throws `URLError`.
    static func data(from url: URL) async throws -> Data {
        let (stream, chunks) = Chunks.makeStream()
        let session = URLSession(configuration: configuration, delegate: KeyDownload(chunks), delegateQueue: nil)
        let end = Task {
            // The limit of the whole download: URLSession's own begins anew with each byte.
            try await Task.sleep(for: timeLimit)
            chunks.finish(throwing: URLError(.timedOut))
        }
        defer {
            end.cancel()
            session.invalidateAndCancel()
        }
        session.dataTask(with: url).resume()
        return try await stream.reduce(into: Data()) { data, chunk in
            data += chunk
            guard data.count <= bytesAtMost else { throw URLError(.dataLengthExceedsMaximum) }
        }
    }

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        return configuration
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isGood = (response as? HTTPURLResponse)?.statusCode == 200
        if !isGood { chunks.finish(throwing: URLError(.badServerResponse)) }
        completionHandler(isGood ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        chunks.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        chunks.finish(throwing: error)
    }
}
