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
    package func erase(_ account: Account, agent: String = "") async throws -> Bool {
        let deletion = try deletion(of: account, agent: agent)
        let tokens = try await store.refreshTokens(accountID: account.id)
        guard try await store.deleteAccount(deletion) else { return false }
        mailer.wake()
        await revocation.revoke(tokens)
        return true
    }

    private func deletion(of account: Account, agent: String) throws -> AccountDeletion {
        let emailKey = EmailAddress(account.email)?.key ?? account.email
        return AccountDeletion(
            accountID: account.id, emailKey: emailKey, failuresKey: key.failuresKey(emailKey),
            recipients: { [key] address in MailContent.recipients(address, key) },
            farewell: try mailer.mail(.accountDeleted, to: account, ["display_name": account.displayName]),
            event: SecurityEvent(
                id: random.id(), kind: .accountDeleted, accountID: nil, at: now(), address: "", userAgent: agent)
        )
    }
}
