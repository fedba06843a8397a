import Essentials
package import Foundation

/// Tells owners of sign-ins from browsers that had not signed in before: three mails a day at most, then one summary.
struct NewSignIns: Sendable {
    let needs: Needs
    static let mailsADay = 3
    package static let day: TimeInterval = 86_400

    /// The mail about a sign-in; the store decides whether it goes out or waits for the summary.
    func notice(_ event: SecurityEvent, to account: Account) -> NewSignInNotice {
        NewSignInNotice(
            mail: { try needs.mailer.mail(.newSignIn, to: account, signIns: [MailedSignIn(event)]) },
            mailsAtMost: Self.mailsADay, at: event.at,
            since: event.at.addingTimeInterval(-Self.day), summaryDueAt: event.at.addingTimeInterval(Self.day)
        )
    }

    /// Queues the summaries that are due.
    func queueSummaries() async throws {
        let queued = try await needs.store.queueSignInSummaries(now: needs.now()) { account, events in
            try needs.mailer.mail(
                .newSignIns, to: account, ["count": "\(events.count)"], signIns: events.map(MailedSignIn.init))
        }
        if queued > 0 { needs.mailer.wake() }
    }
}

/// A mail about a sign-in from a new browser, and how many of them an owner gets.
package struct NewSignInNotice: Sendable {
    /// Written only when it goes out.
    package let mail: @Sendable () throws -> QueuedMail
    package let mailsAtMost: Int
    /// When the sign-in was, as its event has it.
    package let at: Date
    /// New sign-ins since then count.
    package let since: Date
    /// When a summary is sent that stands for the mails that are too many.
    package let summaryDueAt: Date

    package init(
        mail: @escaping @Sendable () throws -> QueuedMail, mailsAtMost: Int, at: Date, since: Date, summaryDueAt: Date
    ) {
        self.mail = mail
        self.mailsAtMost = mailsAtMost
        self.at = at
        self.since = since
        self.summaryDueAt = summaryDueAt
    }
}

/// The store's part of telling owners.
package protocol NewSignInStore: Sendable {
    /// Queues one mail for each account whose summary is due, about the sign-ins that were not mailed. Returns how many.
    func queueSignInSummaries(
        now: Date, compose: @escaping @Sendable (Account, [SecurityEvent]) throws -> QueuedMail
    ) async throws -> Int
}
