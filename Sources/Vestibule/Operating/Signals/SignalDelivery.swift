import Essentials
import Foundation
import Logging

/// One try to deliver one signal, and what is noted of it.
struct SignalDelivery: Sendable {
    let store: any SignalStore
    let logger: Logger
    let now: @Sendable () -> Date
    /// Names whose leases are reported on.
    let node: String

    /// Returns whether the target has taken the signal. Faults of the store are logged.
    func deliver(_ signal: Signal, to target: SignalTarget, leaseEnd: Date) async -> Bool {
        do {
            if let failure = await target.deliver(signal, at: now()) {
                try await put(signal, aside: failure.reason, mayRetry: failure.mayRetry)
                return false
            }
        } catch {
            logger.error("signal queue cannot be written", metadata: ["signal": "\(signal.id)", "error": "\(error)"])
            return false
        }
        logger.info(
            "signal sent",
            metadata: ["signal": "\(signal.id)", "target": "\(signal.target)", "type": "\(signal.event)"])
        await SentNote(what: "signal", logger: logger, now: now).note(signal.id, leaseEnd: leaseEnd) {
            try await store.signalSent(id: signal.id)
        }
        return true
    }

    private func put(_ signal: Signal, aside reason: String, mayRetry: Bool) async throws {
        let isYoung = now() < signal.createdAt.addingTimeInterval(Signal.patience)
        let retries = mayRetry && (isYoung || signal.attempts + 1 < Signal.fewestTries)
        logger.log(
            level: retries ? .warning : .error, "signal not sent",
            metadata: [
                "event": retries ? "signal_not_sent" : "signal_given_up", "signal": "\(signal.id)",
                "target": "\(signal.target)", "type": "\(signal.event)", "reason": "\(reason)", "retry": "\(retries)",
            ])
        let wait = min(Signal.longestWait, 5 * Double(1 << min(signal.attempts, 20)))
        try await store.signalFailed(
            id: signal.id, node: node, reason: reason, retryAt: retries ? now().addingTimeInterval(wait) : nil)
    }
}
