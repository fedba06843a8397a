import AsyncAlgorithms
import Essentials
import Foundation
import Logging
import PasswordHashing
import ServiceLifecycle

/// Removes what has expired and queues what is due.
package struct Housekeeping: Sendable {
    let needs: Needs

    package init(needs: Needs) {
        self.needs = needs
    }

    /// One round.
    package func tidy() async throws {
        let now = needs.now()
        let keepEvents = needs.settings.activityLifetime.seconds
        try await NewSignIns(needs: needs).queueSummaries()
        try await needs.store.purge(now: now, keepEventsSince: now.addingTimeInterval(-keepEvents))
    }
}

/// Housekeeping at start and every ten minutes. Every minute, memory is given back to the system:
/// glibc would keep what a flood of requests has used.
struct HousekeepingService: Service, CustomStringConvertible {
    let needs: Needs
    /// For the log, which would print every template otherwise.
    var description: String { "HousekeepingService" }

    func run() async throws {
        needs.hasher.chooseKernel(logger: needs.logger)
        await cancelWhenGracefulShutdown {
            await tidy()
            var minutes = 0
            for await _ in AsyncTimerSequence(interval: .seconds(60), clock: .continuous) {
                minutes += 1
                if minutes.isMultiple(of: 10) { await tidy() }
                // Fails when the threads for such work have been stopped.
                try? await offEventLoop { MemoryInUse.giveBack() }
            }
        }
        needs.hasher.stop()
        needs.providers.stop()
    }

    private func tidy() async {
        do {
            try await Housekeeping(needs: needs).tidy()
        } catch is CancellationError {
            // The server stops: the next start does it.
        } catch {
            needs.logger.error("housekeeping failed", metadata: ["error": "\(error)"])
        }
    }
}
