import ServiceLifecycle
import UnixSignals
import Vestibule

/// Ends on SIGTERM or SIGINT, and the server with it: after the delay, or at once with a second
/// signal.
struct SignalledShutdown: Service {
    let notice: ShutdownNotice
    let delay: Duration

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
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
