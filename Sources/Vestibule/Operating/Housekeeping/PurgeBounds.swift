package import Foundation

/// Up to when rows are removed.
package struct PurgeBounds: Sendable {
    /// What expires has expired by then.
    package let now: Date
    /// Security events.
    package let events: Date
    /// Rows of failures in a row that have not changed since.
    package let failures: Date
    /// Mails that failed for good.
    package let failedMails: Date
    /// Signing keys whose successor has signed since then.
    package let signingKeys: Date
    /// Machine tokens that have expired.
    package let machineTokens: Date
    /// Nodes that were killed.
    package let nodes: Date
    /// In seconds.
    private static let nodesKept: TimeInterval = 86_400
    /// In seconds.
    private static let failuresKept: TimeInterval = 90 * 86_400
    /// In seconds; so long the operator may try again.
    private static let failedMailsKept: TimeInterval = 7 * 86_400
    /// In seconds; so long listings tell why a token opens nothing.
    private static let machineTokensKept: TimeInterval = 30 * 86_400

    package init(now: Date, keepEventsSince events: Date) {
        self.now = now
        self.events = events
        failures = now.addingTimeInterval(-Self.failuresKept)
        failedMails = now.addingTimeInterval(-Self.failedMailsKept)
        signingKeys = now.addingTimeInterval(-SigningSchedule.publishedAfter)
        nodes = now.addingTimeInterval(-Self.nodesKept)
        machineTokens = now.addingTimeInterval(-Self.machineTokensKept)
    }
}
