package import Essentials
package import Foundation

/// The store's part of administration: what the operator's commands need beyond what visitors
/// cause.
package protocol AdministrationStore: Sendable {
    /// Accounts in the order of their address keys, of one group or all, from the one after
    /// `emailKey` on; found by key, never by counting.
    func accounts(in group: GroupName?, after emailKey: String?, limit: Int) async throws -> [AccountSummary]
    /// The account of that name; `nil` when there is none.
    func account(_ name: AccountName) async throws -> AccountSummary?
    /// Whose address that was, as long as its owner may take it back, and a little longer; the last
    /// of several. `nil` when nobody has left it lately.
    func formerHolder(of email: EmailAddress) async throws -> FormerHolder?
    /// Makes an account without password together with its mailed reset, in one transaction.
    /// Returns false when the address is taken.
    func addInvitedAccount(_ account: Account, reset: MailedReset) async throws -> Bool
    /// Keeps a mailed reset, its mail and its event in one transaction, in place of resets that
    /// wait. Returns false when the account is disabled, gone, or has another address by now.
    func addMailedReset(_ reset: MailedReset, accountID: AccountID) async throws -> Bool
    /// Disables an account, ends its sessions and pending resets, and keeps the event. Returns
    /// false, and does nothing, when it was disabled already.
    func disableAccount(id: AccountID, event: SecurityEvent) async throws -> Bool
    /// Undoes `disableAccount`, but for what that ended. Returns false when it was not disabled.
    func enableAccount(id: AccountID, event: SecurityEvent) async throws -> Bool
    /// Notes the mailbox as proved, and removes identities and factors that were added while nobody
    /// had proved it, not those that were imported with the account. Returns false, and does
    /// nothing, when it was proved already.
    func verifyAccount(id: AccountID, event: SecurityEvent) async throws -> Bool
    /// The account's living sessions, most recently used first.
    func sessions(accountID: AccountID, now: Date) async throws -> [Session]
    /// Ends every session of the account and, if there was any, keeps the event. Returns how many.
    func endSessions(accountID: AccountID, event: SecurityEvent) async throws -> Int
    /// Mails that wait or have failed, to one of these recipients or to all, newest first, from the
    /// one after `position` on.
    func outboxEntries(
        to recipients: [[UInt8]]?, after position: OutboxPosition?, onlyFailed: Bool, limit: Int
    ) async throws -> [OutboxEntry]
    /// That mail; `nil` when it was sent, or never was.
    func outboxEntry(id: String) async throws -> OutboxEntry?
    /// Makes mails due that are not being sent just now, as if never tried. Returns how many.
    func retryMails(ids: [String], now: Date) async throws -> Int
    /// The newest events, newest first; of one account, or of all; of one kind, or of every kind.
    func latestEvents(accountID: AccountID?, kind: String?, limit: Int) async throws -> [AuditEntry]
    /// Events of that time and later, oldest first; of one account, or of all.
    func events(since: Date, accountID: AccountID?) async throws -> [AuditEntry]
}

/// An account as the operator sees it: how a password is kept, if there is one, but neither
/// password nor hash.
package struct AccountSummary: Sendable, Equatable {
    package let account: Account
    /// Such as "argon2id"; `nil` without a password.
    package let passwordScheme: String?

    package init(account: Account, passwordScheme: String?) {
        self.account = account
        self.passwordScheme = passwordScheme
    }
}

/// The account that has left an address.
package struct FormerHolder: Sendable, Equatable {
    package let accountID: AccountID
    /// When the address was changed.
    package let until: Date

    package init(accountID: AccountID, until: Date) {
        (self.accountID, self.until) = (accountID, until)
    }
}

/// How an account is named on the command line.
package enum AccountName: Sendable, Equatable {
    case address(EmailAddress)
    case id(AccountID)

    /// Ids hold no `@`. `nil` for what is neither.
    package init?(_ text: String) {
        if text.holds("@") {
            guard let address = EmailAddress(text) else { return nil }
            self = .address(address)
        } else {
            guard !text.isEmpty else { return nil }
            self = .id(AccountID(rawValue: text))
        }
    }
}
