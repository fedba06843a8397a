package import Essentials
package import Foundation

/// What the operator does to accounts. None of it sets or reads a password.
package struct Administration: Sendable {
    let store: any AdministrationStore & SessionStore
    let codes: Codes
    let mailer: Mailer
    let random: Randomness
    let now: @Sendable () -> Date

    package init(
        store: any AdministrationStore & SessionStore, codes: Codes, mailer: Mailer,
        random: Randomness = .system, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.store, self.codes, self.mailer) = (store, codes, mailer)
        (self.random, self.now) = (random, now)
    }

    /// Ends every session and lets nobody sign in. Returns false when the account was disabled
    /// already.
    package func disable(_ account: Account) async throws -> Bool {
        try await store.disableAccount(id: account.id, event: event(.accountDisabled, account.id))
    }

    /// Lets its owner sign in again. Returns false when the account was not disabled.
    package func enable(_ account: Account) async throws -> Bool {
        try await store.enableAccount(id: account.id, event: event(.accountEnabled, account.id))
    }

    /// Takes the mailbox as proved. Returns false when it was already.
    package func verify(_ account: Account) async throws -> Bool {
        try await store.verifyAccount(id: account.id, event: event(.accountVerified, account.id))
    }

    /// Ends one session. Returns false when the account has no such session.
    package func endSession(_ id: SessionID, of account: Account) async throws -> Bool {
        try await store.endSession(
            id: id, accountID: account.id, by: nil, event: event(.sessionRevoked, account.id))
    }

    /// Ends every session; returns how many.
    package func endSessions(of account: Account) async throws -> Int {
        try await store.endSessions(accountID: account.id, event: event(.sessionRevoked, account.id))
    }

    func event(_ kind: SecurityEvent.Kind, _ accountID: AccountID) -> SecurityEvent {
        .ofOperator(kind, accountID: accountID, random: random, at: now())
    }
}

extension SecurityEvent.Kind {
    static let accountInvited = Self("account_invited", log: "user_created")
    static let accountDisabled = Self("account_disabled", log: "user_updated")
    static let accountEnabled = Self("account_enabled", log: "user_updated")
    static let accountVerified = Self("account_verified", log: "user_updated")
    static let resetSent = Self("reset_sent", log: "authn_password_reset_sent")
    static let sessionRevoked = Self("session_revoked", log: "authn_token_revoked")
}
