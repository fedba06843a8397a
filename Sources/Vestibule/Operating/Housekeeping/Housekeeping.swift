import AsyncAlgorithms
import Essentials
package import Foundation
import Logging
import ServiceLifecycle

/// Removes what has expired and queues what is due.
struct Housekeeping: Sendable {
    let store: any MaintenanceStore & NodeStore
    let newSignIns: NewSignIns
    let factorRemoval: FactorRemoval
    let factorSealing: FactorSealing
    let keyRotation: KeyRotation
    let activityLifetime: Duration
    let now: @Sendable () -> Date

    /// Throws the first fault, when the other steps are done.
    func tidy() async throws {
        let now = now()
        let steps: [() async throws -> Void] = [
            newSignIns.queueSummaries, factorRemoval.removeDue,
            { try await factorSealing.renew(besides: store, now: now) },
            { try await keyRotation.reseal(besides: store) },
            {
                try await store.purge(
                    PurgeBounds(now: now, keepEventsSince: now.addingTimeInterval(-activityLifetime.seconds)))
            },
        ]
        var faults: [any Error] = []
        for step in steps {
            do { try await step() } catch { faults.append(error) }
        }
        if let fault = faults.first { throw fault }
    }

    /// Keys whose turn it is to sign, and which the secret key does not open.
    func unreadableSigningKeys() async throws -> Int {
        try await keyRotation.listAll().count { $0.state == .signing && !$0.opens }
    }
}

/// Housekeeping at start and every ten minutes. When the start is over, and every minute, memory is
/// given back to the system: glibc would keep what the start or a flood of requests has used.
struct HousekeepingService: Service, CustomStringConvertible {
    let housekeeping: Housekeeping
    let logger: Logger
    /// For the log, which would print every part otherwise.
    var description: String { "HousekeepingService" }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await tidy()
            await logUnreadable()
            // Other threads still check hashing and make languages, and nobody says when the
            // last ends: a second is enough on a quick machine, ten on a slow one.
            for seconds in [1, 9] {
                try? await Task.sleep(for: .seconds(seconds))
                await giveMemoryBack()
            }
            var minutes = 0
            for await _ in AsyncTimerSequence(interval: .seconds(60), clock: .continuous) {
                minutes += 1
                if minutes.isMultiple(of: 10) { await tidy() }
                await giveMemoryBack()
            }
        }
    }

    private func giveMemoryBack() async {
        // Fails when the threads for such work have been stopped.
        try? await offEventLoop { MemoryInUse.giveBack() }
    }

    /// An operator who has forgotten the key knows before the first visitor does.
    private func logUnreadable() async {
        let factors = try? await housekeeping.factorSealing.unreadable()
        log("authenticator apps and recovery codes", "factors_unreadable", factors)
        let keys = try? await housekeeping.unreadableSigningKeys()
        log("keys whose turn it is to sign for applications", "signing_keys_unreadable", keys)
    }

    private func log(_ what: String, _ event: String, _ count: Int?) {
        guard let count, count > 0 else { return }
        logger.error(
            "\(what) were sealed with another secret key",
            metadata: [
                "event": "\(event)", "count": "\(count)",
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

/// The store's part of housekeeping.
package protocol MaintenanceStore: Sendable {
    /// Removes what has expired: sessions, pending flows, idle counters, old events and failed
    /// mails. Rows that change meanwhile stay. Sums up what a program that signs in again and again
    /// has left (`SecurityEvent.visitsKeptAnHour`).
    func purge(_ bounds: PurgeBounds) async throws
}

/// Up to when rows are removed.
package struct PurgeBounds: Sendable {
    /// What expires has expired by then.
    package let now: Date
    /// Security events.
    package let events: Date
    /// Rows of failures in a row that have not changed for 90 days.
    package var failures: Date { ago(days: 90) }
    /// Mails that failed for good a week ago; so long the operator may try again.
    package var failedMails: Date { ago(days: 7) }
    /// Signing keys whose successor has signed since then.
    package var signingKeys: Date { now.addingTimeInterval(-SigningSchedule.publishedAfter) }
    /// Machine tokens that expired 30 days ago; so long listings tell why a token opens nothing.
    package var machineTokens: Date { ago(days: 30) }
    /// Codes of clients whose tokens have expired since: so long a second use is noticed.
    package var spentCodes: Date { now.addingTimeInterval(-600) }
    /// Nodes that were killed a day ago.
    package var nodes: Date { ago(days: 1) }

    package init(now: Date, keepEventsSince events: Date) {
        (self.now, self.events) = (now, events)
    }

    private func ago(days: Double) -> Date { now.addingTimeInterval(-days * 86_400) }
}
