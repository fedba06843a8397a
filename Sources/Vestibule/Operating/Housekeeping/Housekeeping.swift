import AsyncAlgorithms
import Essentials
import Foundation
import Logging
import ServiceLifecycle

/// Removes what has expired and queues what is due.
struct Housekeeping: Sendable {
    private let store: any MaintenanceStore & NodeStore
    private let newSignIns: NewSignIns
    private let factorRemoval: FactorRemoval
    private let factorSealing: FactorSealing
    private let activityLifetime: Duration
    private let now: @Sendable () -> Date

    /// Security events are kept for `activityLifetime`.
    init(
        store: any MaintenanceStore & NodeStore, newSignIns: NewSignIns, factorRemoval: FactorRemoval,
        factorSealing: FactorSealing, activityLifetime: Duration, now: @escaping @Sendable () -> Date
    ) {
        self.factorSealing = factorSealing
        (self.store, self.newSignIns, self.factorRemoval) = (store, newSignIns, factorRemoval)
        (self.activityLifetime, self.now) = (activityLifetime, now)
    }

    /// One round.
    func tidy() async throws {
        let now = now()
        try await newSignIns.queueSummaries()
        try await factorRemoval.removeDue()
        try await factorSealing.renew(besides: store, now: now)
        try await store.purge(
            PurgeBounds(now: now, keepEventsSince: now.addingTimeInterval(-activityLifetime.seconds)))
    }

    /// Authenticator apps and sets of recovery codes that the secret key does not open.
    func unreadableFactors() async throws -> Int {
        try await factorSealing.unreadable()
    }
}

/// Housekeeping at start and every ten minutes. Every minute, memory is given back to the system:
/// glibc would keep what a flood of requests has used.
struct HousekeepingService: Service, CustomStringConvertible {
    let housekeeping: Housekeeping
    let logger: Logger
    /// For the log, which would print every part otherwise.
    var description: String { "HousekeepingService" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await tidy()
            await logUnreadableFactors()
            var minutes = 0
            for await _ in AsyncTimerSequence(interval: .seconds(60), clock: .continuous) {
                minutes += 1
                if minutes.isMultiple(of: 10) { await tidy() }
                // Fails when the threads for such work have been stopped.
                try? await offEventLoop { MemoryInUse.giveBack() }
            }
        }
    }

    /// An operator who has forgotten the key knows before the first visitor does.
    private func logUnreadableFactors() async {
        guard let count = try? await housekeeping.unreadableFactors(), count > 0 else { return }
        logger.error(
            "authenticator apps and recovery codes were sealed with another secret key",
            metadata: [
                "event": "factors_unreadable", "count": "\(count)",
                "hint": "set VESTIBULE_SECRET_KEY_PREVIOUS to the key before, and see `vestibule doctor`",
            ])
    }

    private func tidy() async {
        do {
            try await housekeeping.tidy()
            logger.debug("housekeeping done")
        } catch is CancellationError {
            // The server stops: the next start does it.
        } catch {
            logger.error("housekeeping failed", metadata: ["error": "\(error)"])
        }
    }
}
