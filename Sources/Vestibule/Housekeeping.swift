import AsyncAlgorithms
import Foundation
import Logging
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

/// Housekeeping at start and every ten minutes.
struct HousekeepingService: Service, CustomStringConvertible {
    let needs: Needs
    /// For the log, which would print every template otherwise.
    var description: String { "HousekeepingService" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await tidy()
            for await _ in AsyncTimerSequence(interval: .seconds(600), clock: .continuous) { await tidy() }
        }
        needs.hasher.stop()
        needs.providers.stop()
    }

    private func tidy() async {
        do {
            try await Housekeeping(needs: needs).tidy()
        } catch {
            needs.logger.error("housekeeping failed", metadata: ["error": "\(error)"])
        }
    }
}
