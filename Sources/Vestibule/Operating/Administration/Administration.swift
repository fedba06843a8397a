package import Essentials
import Foundation

/// What the operator does to accounts. None of it sets or reads a password.
package struct Administration: Sendable {
    let store: any AdministrationStore & SessionStore & AccountStore
    let codes: Codes
    let mailer: Mailer
    let author: Operator

    package init(
        store: any AdministrationStore & SessionStore & AccountStore, codes: Codes, mailer: Mailer,
        author: Operator = Operator()
    ) {
        (self.store, self.codes, self.mailer, self.author) = (store, codes, mailer, author)
    }

    /// Ends every session and lets nobody sign in. Returns false when the account was disabled
    /// already.
    package func disable(_ account: Account) async throws -> Bool {
        try await store.disableAccount(id: account.id, event: author.event(.accountDisabled, account.id))
    }

    /// Lets its owner sign in again. Returns false when the account was not disabled.
    package func enable(_ account: Account) async throws -> Bool {
        try await store.enableAccount(id: account.id, event: author.event(.accountEnabled, account.id))
    }

    /// Takes the mailbox as proved. Returns false when it was already.
    package func verify(_ account: Account) async throws -> Bool {
        try await store.verifyAccount(id: account.id, event: author.event(.accountVerified, account.id))
    }

    /// Ends one session. Returns false when the account has no such session.
    package func endSession(_ id: SessionID, of account: Account) async throws -> Bool {
        try await store.endSession(
            id: id, accountID: account.id, by: nil, event: author.event(.sessionRevoked, account.id))
    }

    /// Ends every session; returns how many.
    package func endSessions(of account: Account) async throws -> Int {
        try await store.endSessions(accountID: account.id, event: author.event(.sessionRevoked, account.id))
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
