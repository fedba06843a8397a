package import Essentials
package import Foundation

/// Erases accounts, for their owners and for the operator.
package struct AccountEraser: Sendable {
    private let store: any AccountDeletionStore & IdentityStore
    private let revocation: ProviderRevocation
    private let key: SecretKey
    private let mailer: Mailer
    private let random: Randomness
    private let now: @Sendable () -> Date

    package init(
        store: any AccountDeletionStore & IdentityStore, revocation: ProviderRevocation, key: SecretKey,
        mailer: Mailer, random: Randomness = .system, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.store, self.revocation, self.key) = (store, revocation, key)
        (self.mailer, self.random, self.now) = (mailer, random, now)
    }

    /// Erases the account, mails a farewell and ends its tokens at providers. Returns false when it
    /// is gone already. What is kept of it says no more than which `agent` did it, where that is
    /// not a person's.
    package func erase(
        _ account: Account, by session: PresentedSession? = nil, agent: String = ""
    ) async throws -> Bool {
        let tokens = try await store.refreshTokens(accountID: account.id)
        let isErased: Bool
        do {
            isErased = try await store.erase(erasure(of: account, session, agent))
        } catch is Superseded {
            // Its address changed just now.
            isErased = try await store.erase(erasure(of: account, session, agent))
        }
        guard isErased else { return false }
        mailer.wake()
        await revocation.revoke(tokens)
        return true
    }

    private func erasure(
        of account: Account, _ session: PresentedSession?, _ agent: String
    ) async throws -> AccountErasure {
        let addresses = try await store.addresses(accountID: account.id)
        return AccountErasure(
            accountID: account.id, session: session, emailKey: account.email.key,
            failuresKey: key.failuresKey(account.email),
            recipients: Dictionary(uniqueKeysWithValues: addresses.map { ($0.key, MailContent.recipients($0, key)) }),
            farewell: try mailer.mail(.accountDeleted, to: account, ["display_name": account.displayName]),
            event: SecurityEvent(
                id: random.id(), kind: .accountDeleted, accountID: nil, at: now(), address: nil, userAgent: agent)
        )
    }
}
