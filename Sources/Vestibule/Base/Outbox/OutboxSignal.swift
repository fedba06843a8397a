import AsyncAlgorithms
import Essentials
import Synchronization

/// Tells the mail worker that there is something to do, so that mails leave at once and not at the
/// next round.
package final class OutboxSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func send() {
        continuation.yield()
    }

    /// One element a signal, and one every so often for what other processes and retries have made
    /// due. One listener.
    func signals(every interval: Duration) -> some AsyncSequence<Void, Never> {
        merge(stream, AsyncTimerSequence(interval: interval, clock: .continuous).map { _ in })
    }
}
