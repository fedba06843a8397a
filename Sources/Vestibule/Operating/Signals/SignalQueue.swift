package import Foundation

/// The store's part of what operators see of signals.
package protocol SignalQueueStore: Sendable {
    /// Signals that wait or were given up, newest first.
    func signals(limit: Int) async throws -> [SignalEntry]
    /// Makes signals due that are not being sent just now, as if never tried: those, or all that
    /// were given up. Removes those of an account of whose end the target was told. Returns how
    /// many are due.
    func retrySignals(ids: [String]?, now: Date) async throws -> Int
    /// Who is told of what: by the settings of the servers that run.
    func subscriptions() async throws -> Set<SignalSubscription>
    /// What waits and was given up, by target.
    func signalBacklogs() async throws -> [SignalBacklog]
}

/// A signal with what has come of it so far.
package struct SignalEntry: Sendable, Equatable {
    package let signal: Signal
    package let state: OutboxEntry.State
    /// Why the last try failed.
    package let reason: String?

    package init(signal: Signal, state: OutboxEntry.State, reason: String?) {
        (self.signal, self.state, self.reason) = (signal, state, reason)
    }
}

/// What a target has not been told yet.
package struct SignalBacklog: Sendable, Equatable {
    package let target: String
    package let waiting: Int
    package let givenUp: Int
    /// Of those that wait.
    package let oldest: Date?

    package init(target: String, waiting: Int, givenUp: Int, oldest: Date?) {
        (self.target, self.waiting, self.givenUp, self.oldest) = (target, waiting, givenUp, oldest)
    }
}
