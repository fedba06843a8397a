package import Essentials
package import Foundation

/// What another program is told of, as it rests in the table of signals until it was delivered:
/// ids and a time, nothing else of the account.
package struct Signal: Sendable, Equatable {
    /// Stays the same for each try.
    package let id: String
    /// Names whom it is for in the settings, such as `webhook:portal`.
    package let target: String
    /// What happened, such as `session.ended`.
    package let event: String
    /// Nil for one that was only asked for to try a target.
    package let accountID: AccountID?
    package let sessionID: SessionID?
    package let createdAt: Date
    /// Tries so far.
    package let attempts: Int

    package init(
        id: String, target: String, event: String, accountID: AccountID?, sessionID: SessionID?, createdAt: Date,
        attempts: Int
    ) {
        (self.id, self.target, self.event, self.attempts) = (id, target, event, attempts)
        (self.accountID, self.sessionID, self.createdAt) = (accountID, sessionID, createdAt)
    }

    /// How long a signal is tried.
    static let patience: TimeInterval = 3 * 86_400
    /// Fewest tries before a signal is given up, about an hour's worth: a clock may be days ahead
    /// for a moment.
    static let fewestTries = 12
    /// Longest wait between two tries: one that is due later than that was put off by a clock that
    /// has been set back.
    package static let longestWait: TimeInterval = 600

    /// Whom a webhook may be told of.
    package static let events = [
        "account.created", "account.changed", "account.disabled", "account.enabled", "account.deleted",
        "session.started", "session.ended", "factor.added", "factor.removed", "groups.changed",
    ]
}

/// That a target is told of an event.
package struct SignalSubscription: Sendable, Hashable {
    package let event: String
    package let target: String

    package init(event: String, target: String) {
        (self.event, self.target) = (event, target)
    }
}

/// The table of signals. Triggers add its rows in the transaction that causes them, for each target
/// that is told of the event.
package protocol SignalStore: Sendable {
    /// From now on these targets are told of these events, and nobody else. Returns what was
    /// subscribed before and is no more.
    @discardableResult
    func setSubscriptions(_ subscriptions: Set<SignalSubscription>) async throws -> Set<SignalSubscription>
    /// Adds those that are missing; removes none.
    func keepSubscriptions(_ subscriptions: Set<SignalSubscription>) async throws
    /// Takes a signal for the target that is due: of each account the oldest one that waits or is
    /// being sent. Signals due later than the longest wait are due, too. What waits behind one that
    /// is due later becomes due with it.
    func takeDueSignal(for target: String, now: Date, lease: MailLease) async throws -> Signal?
    /// The signal was delivered: its row is gone.
    func signalSent(id: String) async throws
    /// The signal was not delivered. `retryAt` nil means never again; the row stays for the
    /// operator. Nothing happens when the node's lease was over and another one has taken it.
    func signalFailed(id: String, node: String, reason: String, retryAt: Date?) async throws
}
