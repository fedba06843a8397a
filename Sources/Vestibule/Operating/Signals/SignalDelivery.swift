import Foundation
import Logging

/// One try to deliver one signal, and what is noted of it.
struct SignalDelivery: Sendable {
    let store: any SignalStore
    let logger: Logger
    let now: @Sendable () -> Date
    /// Names whose leases are reported on.
    let node: String

    /// What has come of a try.
    enum Outcome: Sendable {
        case taken
        /// The target refused this one, and may take others.
        case refused
        /// The target takes none now, or the store cannot be written.
        case failed
    }

    /// Tries it once. Faults of the store are logged.
    func deliver(_ signal: Signal, to target: SignalTarget, leaseEnd: Date) async -> Outcome {
        do {
            if let failure = await target.deliver(signal, at: now()) {
                try await put(signal, aside: failure)
                return failure.isOfTarget ? .failed : .refused
            }
        } catch {
            logger.error("signal queue cannot be written", metadata: ["signal": "\(signal.id)", "error": "\(error)"])
            return .failed
        }
        logger.info(
            "signal sent",
            metadata: ["signal": "\(signal.id)", "target": "\(signal.target)", "type": "\(signal.event)"])
        await SentNote(what: "signal", logger: logger, now: now).note(signal.id, leaseEnd: leaseEnd) {
            try await store.signalSent(id: signal.id)
        }
        return .taken
    }

    private func put(_ signal: Signal, aside failure: SignalFailure) async throws {
        let isYoung = now() < signal.createdAt.addingTimeInterval(Signal.patience)
        let retries = failure.mayRetry && (isYoung || signal.attempts + 1 < Signal.fewestTries)
        logger.log(
            level: retries ? .warning : .error, "signal not sent",
            metadata: [
                "event": retries ? "signal_not_sent" : "signal_given_up", "signal": "\(signal.id)",
                "target": "\(signal.target)", "type": "\(signal.event)", "reason": "\(failure.reason)",
                "retry": "\(retries)",
            ])
        let wait = min(Signal.longestWait, 5 * Double(1 << min(signal.attempts, 20)))
        try await store.signalFailed(
            id: signal.id, node: node, reason: failure.reason, retryAt: retries ? now().addingTimeInterval(wait) : nil)
    }
}
