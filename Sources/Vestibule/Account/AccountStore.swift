package import Foundation

/// The store's part of the account page.
package protocol AccountStore: Sendable {
    /// The account's password hash; `nil` when it has none.
    func passwordHash(accountID: String) async throws -> PasswordHash?
    /// Sets the hash, ends every session of the account, starts the given one and queues the notice: one transaction.
    func changePassword(
        _ hash: PasswordHash, accountID: String, session: NewSession, notice: QueuedMail, event: SecurityEvent
    ) async throws
    /// What the account page shows.
    func accountOverview(accountID: String, now: Date) async throws -> AccountOverview
}

/// The account's living sessions, most recently used first, and its consents, newest first.
package struct AccountOverview: Sendable, Equatable {
    package let sessions: [Session]
    package let consents: [Consent]

    package init(sessions: [Session], consents: [Consent]) {
        self.sessions = sessions
        self.consents = consents
    }

    /// Without the sessions that have ended since it was read.
    package func alive(at now: Date) -> AccountOverview {
        AccountOverview(sessions: sessions.filter { $0.isAlive(at: now) }, consents: consents)
    }
}
