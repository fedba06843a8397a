import ServiceLifecycle
import UnixSignals
import Vestibule

/// Ends on SIGTERM or SIGINT, and the server with it: after the delay, or at once with a second
/// signal.
struct SignalledShutdown: Service {
    private let notice: ShutdownNotice
    private let delay: Duration
    private let signals: UnixSignalsSequence

    /// From now on these signals no longer end the process by themselves.
    init(notice: ShutdownNotice, delay: Duration) async {
        (self.notice, self.delay) = (notice, delay)
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    func run() async throws {
        let (told, telling) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask {
                for await _ in signals {
                    guard delay > .zero, !notice.isGiven else { return }
                    notice.give()
                    telling.yield()
                }
            }
            group.addTask {
                for await _ in told { break }
                // Proxies ask for the health at intervals, and send requests until then.
                try? await Task.sleep(for: delay)
            }
            await group.next()
            group.cancelAll()
        }
    }
}
