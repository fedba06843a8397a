package import Essentials
package import Foundation

/// The store's part of what pages of an account show.
package protocol AccountStore: Sendable {
    /// Whether the account has a password; those made through a provider may have none.
    func hasPassword(accountID: AccountID) async throws -> Bool
    /// What the account page shows, with that many events and as many failed tries.
    func accountOverview(accountID: AccountID, events: Int, now: Date) async throws -> AccountOverview
}

/// When a password was set, and last signed in with. Nil if unknown: neither was kept always.
package struct PasswordTimes: Sendable, Equatable {
    /// A use is noted once in so many milliseconds.
    package static let usePrecision = 60_000

    package let setAt: Date?
    package let lastUsedAt: Date?

    package init(setAt: Date?, lastUsedAt: Date?) {
        (self.setAt, self.lastUsedAt) = (setAt, lastUsedAt)
    }
}

/// What a session has entered: the origin of an application, as text, or the name of an OpenID
/// Connect client.
package struct EnteredApplication: Sendable, Equatable {
    package let name: String
    /// When it entered last.
    package let at: Date

    package init(name: String, at: Date) {
        (self.name, self.at) = (name, at)
    }
}

/// The account's living sessions, most recently used first, its consents, its last events, newest
/// first, and its ways in.
package struct AccountOverview: Sendable, Equatable {
    package private(set) var sessions: [Session]
    package let consents: [Consent]
    package let events: [SecurityEvent]
    package let identities: [Identity]
    /// Nil for an account without a password.
    package let password: PasswordTimes?
    /// By the session's id; OpenID Connect clients in an export only.
    package let enteredApplications: [SessionID: [EnteredApplication]]

    package init(
        sessions: [Session], consents: [Consent], events: [SecurityEvent], identities: [Identity],
        password: PasswordTimes?, enteredApplications: [SessionID: [EnteredApplication]]
    ) {
        self.identities = identities
        self.password = password
        self.enteredApplications = enteredApplications
        self.sessions = sessions
        self.consents = consents
        self.events = events
    }

    package var hasPassword: Bool { password != nil }

    /// Without the sessions that have ended since it was read.
    package func alive(at now: Date) -> AccountOverview {
        var overview = self
        overview.sessions.removeAll { !$0.isAlive(at: now) }
        return overview
    }
}
