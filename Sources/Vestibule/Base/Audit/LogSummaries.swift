import AsyncAlgorithms
import Essentials
import ServiceLifecycle

/// Sums up every minute, and at the end, which warnings were left out of the log.
struct LogSummaries: Service, CustomStringConvertible {
    let audit: Audit
    var description: String { "LogSummaries" }

    func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in AsyncTimerSequence(interval: .seconds(60), clock: .continuous) { audit.summarize() }
        }
        audit.summarize()
    }
}
