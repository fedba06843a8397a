package import Foundation

/// A mail about a sign-in from a new browser, and how many of them an owner gets.
package struct NewSignInNotice: Sendable {
    /// Dropped when a summary stands for it.
    package let mail: QueuedMail
    package let mailsAtMost: Int
    /// When the sign-in was, as its event has it.
    package let at: Date
    /// New sign-ins since then count.
    package let since: Date
    /// When a summary is sent that stands for the mails that are too many.
    package let summaryDueAt: Date
}

/// A summary that is due, and the sign-ins it tells of.
package struct SignInSummary: Sendable {
    package let account: Account
    package let dueAt: Date
    /// Those that were not mailed, oldest first, at most 100; none once housekeeping has removed
    /// their events.
    package let signIns: [SecurityEvent]

    package init(account: Account, dueAt: Date, signIns: [SecurityEvent]) {
        self.account = account
        self.dueAt = dueAt
        self.signIns = signIns
    }
}

/// A summary and its mail; none when there is nothing to tell.
package struct SignInSummaryMail: Sendable {
    package let summary: SignInSummary
    package let mail: QueuedMail?
}

/// The store's part of telling owners.
package protocol NewSignInStore: Sendable {
    /// The summaries that are due, at most 100 of those due first, with what they tell of.
    func dueSignInSummaries(now: Date) async throws -> [SignInSummary]
    /// Queues the mails and forgets their summaries, in one transaction. Leaves out each that is no
    /// longer due as it was read: another node has queued it, the account has another address, or
    /// there was one more sign-in. The latter two are found due again. Returns how many summaries
    /// were forgotten.
    func queueSignInSummaries(_ mails: [SignInSummaryMail]) async throws -> Int
}
