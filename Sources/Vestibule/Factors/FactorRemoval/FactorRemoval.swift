import Essentials
package import Foundation

/// Takes all second factors from an account whose owner has lost them, at an operator's word. Its
/// owner is mailed first and can say no until a day after the command: by signing in with a factor,
/// or by changing one. Nothing is removed before that mail is sent.
package struct FactorRemoval: Sendable {
    private let store: any FactorRemovalStore
    private let mailer: Mailer
    private let author: Operator
    /// In seconds.
    static let wait: TimeInterval = 86_400
    /// How late the owner may be mailed: half the day is left then.
    static let noticeLifetime: Duration = .seconds(43_200)

    package init(store: any FactorRemovalStore, mailer: Mailer, author: Operator = Operator()) {
        (self.store, self.mailer, self.author) = (store, mailer, author)
    }

    /// Says when they go, and mails the owner. Returns nil if the account has no second
    /// factor; a passkey that a browser made by itself is not one.
    package func ask(for account: Account) async throws -> Date? {
        let due = author.now().addingTimeInterval(Self.wait)
        let notice = try mailer.mail(
            .factorRemovalAsked, to: account, [MailContent.date: "\(due.ms)"],
            id: FactorRemovalNotice.id(account.id, due: due))
        // No later than the mail: a purge that takes the mail then takes the removal, too.
        let isAsked = try await store.askFactorRemoval(
            accountID: account.id, at: notice.createdAt, due: due, notice: notice,
            event: author.event(.factorRemovalAsked, account.id))
        guard isAsked else { return nil }
        mailer.wake()
        return due
    }

    /// Removes second factors and every passkey at once. Returns false if there are neither.
    package func remove(from account: Account) async throws -> Bool {
        try await remove(from: account, due: nil)
    }

    /// Removes those that are due.
    func removeDue() async throws {
        for removal in try await store.dueFactorRemovals(now: author.now()) {
            _ = try await remove(from: removal.account, due: removal.dueAt)
        }
    }

    private func remove(from account: Account, due: Date?) async throws -> Bool {
        let isRemoved = try await store.removeFactors(
            accountID: account.id, due: due, notice: mailer.mail(.factorsRemoved, to: account),
            event: author.event(.factorsRemoved, account.id))
        if isRemoved { mailer.wake() }
        return isRemoved
    }
}

extension SecurityEvent.Kind {
    static let factorRemovalAsked = Self("factor_removal_asked", log: "user_updated")
    static let factorsRemoved = Self("factors_removed", log: "user_updated")
}

extension MailContent.Kind {
    static let factorRemovalAsked = Self("factor-removal-asked", usefulFor: FactorRemoval.noticeLifetime)
    static let factorsRemoved = Self("factors-removed")
}
