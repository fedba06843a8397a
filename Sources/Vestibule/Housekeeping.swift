import AsyncAlgorithms
import Foundation
import Logging
import ServiceLifecycle

/// Removes what has expired, at start and every ten minutes.
struct Housekeeping: Service {
    let needs: Needs
    private static let keepEvents: TimeInterval = 180 * 86_400

    init(needs: Needs) {
        self.needs = needs
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await purge()
            for await _ in AsyncTimerSequence(interval: .seconds(600), clock: .continuous) { await purge() }
        }
        needs.hasher.stop()
    }

    private func purge() async {
        do {
            let now = needs.now()
            try await needs.store.purge(now: now, keepEventsSince: now.addingTimeInterval(-Self.keepEvents))
        } catch {
            needs.logger.error("housekeeping failed", metadata: ["error": "\(error)"])
        }
    }
}
