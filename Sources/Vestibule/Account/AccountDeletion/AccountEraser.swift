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

    /// For an operator. Returns false when the account is gone already. What is kept of it says no
    /// more than which `agent` did it.
    package func erase(_ account: Account, agent: String) async throws -> Bool {
        try await erase(account) { try await erasure(of: account, nil, nil, agent) }
    }

    /// For its owner: the farewell says when, where and in which browser. Returns false when the
    /// account is gone already.
    func erase(_ account: Account, by session: PresentedSession, visitor: Visitor) async throws -> Bool {
        try await erase(account) { try await erasure(of: account, session, visitor, "") }
    }

    /// Erases the account, mails a farewell to its address and to those that may still take it
    /// back, and ends its tokens at providers.
    private func erase(_ account: Account, _ erasure: () async throws -> AccountErasure) async throws -> Bool {
        let identities = try await store.linkedIdentities(accountID: account.id)
        // Its address may change just now.
        guard try await Superseded.onceMore({ try await store.erase(erasure()) }) else { return false }
        mailer.wake()
        await revocation.revoke(identities)
        return true
    }

    private func erasure(
        of account: Account, _ session: PresentedSession?, _ visitor: Visitor?, _ agent: String
    ) async throws -> AccountErasure {
        let addresses = try await store.addresses(accountID: account.id)
        return AccountErasure(
            accountID: account.id, session: session, emailKey: account.email.key,
            failuresKey: key.failuresKey(account.email),
            mailboxes: Dictionary(
                uniqueKeysWithValues: try addresses.map { ($0.key, try mailbox($0, of: account, visitor)) }),
            event: SecurityEvent(
                id: random.id(), kind: .accountDeleted, accountID: nil, at: now(), address: nil, userAgent: agent)
        )
    }

    private func mailbox(
        _ address: EmailAddress, of account: Account, _ visitor: Visitor?
    ) throws -> AccountErasure.Mailbox {
        let isFormer = address.key != account.email.key
        var values = ["display_name": account.displayName]
        if isFormer { values["is_former"] = "yes" }
        // A stranger may have typed an address that nobody has proved: its reader would be told of
        // an account that was never theirs.
        let isTold = visitor != nil || isFormer || account.verifiedAt != nil
        return AccountErasure.Mailbox(
            recipients: MailContent.recipients(address, key),
            farewell: isTold
                ? try mailer.mail(.accountDeleted, to: address, locale: account.locale, values, by: visitor) : nil)
    }
}

/// Everything that deleting an account erases and writes.
package struct AccountErasure: Sendable {
    package let accountID: AccountID
    /// By whose wish; nil for the operator's.
    package let session: PresentedSession?
    package let emailKey: String
    package let failuresKey: [UInt8]
    package let mailboxes: [String: Mailbox]
    /// Names neither account nor address: all that remains.
    package let event: SecurityEvent

    /// What is erased and sent for one address; found by the address's key.
    package struct Mailbox: Sendable {
        /// The names under which mails wait.
        package let recipients: [[UInt8]]
        package let farewell: QueuedMail?
    }
}

/// The store's part of deleting an account.
package protocol AccountDeletionStore: Sendable {
    /// The account's address, and those it had lately that are nobody else's by now.
    func addresses(accountID: AccountID) async throws -> Set<EmailAddress>
    /// Erases the account with all that belongs to it or its addresses, and queues the farewell, in
    /// one transaction. Returns false when there is no such account any more. Throws `Superseded`
    /// when it has an address by now that `mailboxes` lacks, or the session another token.
    func erase(_ erasure: AccountErasure) async throws -> Bool
}
