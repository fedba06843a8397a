import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests and reads their answers: no redirect is followed, no cookie and no cache is kept.
///
/// Each has a connection of its own: one that was kept may be dead when it is used, and what
/// changes something must not be sent twice.
struct Exchange: Sendable {
    /// Seconds without a byte after which a call is given up; ten times as many for the whole.
    let patience: Double

    /// Asks, and once more when the answer to what is safe to repeat was lost. Throws `Refusal`,
    /// `NetworkTrouble` and `CancellationError`.
    func answer(to request: URLRequest, isSafeToRepeat: Bool, atMost: Int) async throws -> Answer {
        do {
            return try await attempt(request, atMost: atMost)
        } catch let error as URLError {
            guard isSafeToRepeat, error.code != .timedOut else { throw NetworkTrouble(error) }
            return try await answer(to: request, isSafeToRepeat: false, atMost: atMost)
        }
    }

    /// Throws `URLError` as well.
    private func attempt(_ request: URLRequest, atMost: Int) async throws -> Answer {
        let (events, receiver) = AsyncThrowingStream.makeStream(of: Receiver.Event.self)
        let session = URLSession(
            configuration: configuration, delegate: Receiver(events: receiver), delegateQueue: nil)
        // A call that is cancelled stops listening, which ends this.
        receiver.onTermination = { _ in session.invalidateAndCancel() }
        let end = Task {
            // A server that sends a byte now and then is no better, and on Linux
            // `timeoutIntervalForResource` has no effect.
            try await Task.sleep(for: .seconds(10 * patience))
            receiver.finish(throwing: URLError(.timedOut))
        }
        defer { end.cancel() }
        session.dataTask(with: request).resume()
        var (response, body): (HTTPURLResponse?, Data) = (nil, Data())
        do {
            for try await event in events {
                switch event {
                case .response(let head): response = head
                case .data(let part): body += part
                }
                guard body.count <= atMost else { throw NetworkTrouble.strangeAnswer }
            }
        } catch is URLError where Task.isCancelled {
            // The end of the line may be heard of before that of the stream.
        }
        try Task.checkCancellation()
        guard let response else { throw NetworkTrouble.strangeAnswer }
        return try Answer(response, body)
    }

    private var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = patience
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }
}

/// Passes on what arrives for one request.
private final class Receiver: NSObject, URLSessionDataDelegate {
    enum Event: Sendable {
        case response(HTTPURLResponse)
        case data(Data)
    }

    private let events: AsyncThrowingStream<Event, any Error>.Continuation

    init(events: AsyncThrowingStream<Event, any Error>.Continuation) {
        self.events = events
    }

    /// Follows none: the API knows no redirects, and another host must not see the token.
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
        if let response = response as? HTTPURLResponse { events.yield(.response(response)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        events.yield(.data(data))
    }

    #if canImport(FoundationNetworking)
        /// Takes a 401 that asks for a password of HTTP (`Basic`) as it is. The whole of it has
        /// arrived, and on Linux nothing follows.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            events.finish()
            completionHandler(.rejectProtectionSpace, nil)
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        events.finish(throwing: error)
    }
}
