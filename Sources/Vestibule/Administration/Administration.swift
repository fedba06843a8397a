import Essentials
import Foundation

/// What the operator does to accounts. None of it sets or reads a password.
package struct Administration: Sendable {
    let needs: Needs
    /// Stands in security events where a browser's name would: nobody's browser did it.
    package static let agent = "vestibule command"

    package init(needs: Needs) {
        self.needs = needs
    }

    /// Ends every session and lets nobody sign in. Returns false when the account was disabled already.
    package func disable(_ account: Account) async throws -> Bool {
        try await needs.store.disableAccount(id: account.id, event: event(.accountDisabled, account.id))
    }

    /// Lets its owner sign in again. Returns false when the account was not disabled.
    package func enable(_ account: Account) async throws -> Bool {
        try await needs.store.enableAccount(id: account.id, event: event(.accountEnabled, account.id))
    }

    /// Takes the mailbox as proved. Returns false when it was already.
    package func verify(_ account: Account) async throws -> Bool {
        try await needs.store.verifyAccount(id: account.id, event: event(.accountVerified, account.id))
    }

    /// Erases the account, as its owner could, mails a farewell and ends its tokens at providers. Returns false when it is
    /// gone already.
    package func delete(_ account: Account) async throws -> Bool {
        try await AccountDeletionRule(needs: needs).erase(account, agent: Self.agent)
    }

    /// Ends one session. Returns false when the account has no such session.
    package func endSession(_ id: String, of account: Account) async throws -> Bool {
        try await needs.store.endSession(
            id: id, accountID: account.id, event: event(.sessionRevoked, account.id))
    }

    /// Ends every session; returns how many.
    package func endSessions(of account: Account) async throws -> Int {
        try await needs.store.endSessions(accountID: account.id, event: event(.sessionRevoked, account.id))
    }

    func event(_ kind: SecurityEvent.Kind, _ accountID: String) -> SecurityEvent {
        SecurityEvent(
            id: needs.random.id(), kind: kind, accountID: accountID, at: needs.now(), address: "",
            userAgent: Self.agent
        )
    }
}
