package import Foundation

/// Something that matters for the safety of an account, kept for its owner and the operator.
package struct SecurityEvent: Sendable, Equatable {
    /// What happened; raw values are stored.
    package enum Kind: String, Sendable, CaseIterable {
        case signup, login, loginFailed = "login_failed", logout, termsAccepted = "terms_accepted"
        case passwordRehashed = "password_rehashed"
        case passwordReset = "password_reset"
        case passwordChanged = "password_changed"
        case sessionEnded = "session_ended"
        /// A sign-in from a browser that had not signed in to the account before.
        case loginNewDevice = "login_new_device"
        case proved
        case proofFailed = "proof_failed"
        /// A wrong code: of a sign-up, a reset or a new address.
        case codeFailed = "code_failed"
        case emailChangeRequested = "email_change_requested"
        case emailChanged = "email_changed"
        case emailRestored = "email_restored"
        case emailUndoLocked = "email_undo_locked"
        case profileChanged = "profile_changed"
        case exported
        case accountDeleted = "account_deleted"
        case identityLinked = "identity_linked"
        case identityUnlinked = "identity_unlinked"
        /// The provider's relay does not, or does again, pass mails on.
        case providerEmailDisabled = "provider_email_disabled"
        case providerEmailEnabled = "provider_email_enabled"
        case accountInvited = "account_invited"
        case accountDisabled = "account_disabled"
        case accountEnabled = "account_enabled"
        case accountVerified = "account_verified"
        case resetSent = "reset_sent"
        case sessionRevoked = "session_revoked"
        /// Accounts of another system were brought in; of no account.
        case accountsImported = "accounts_imported"
    }

    package let id: String
    package let kind: Kind
    /// `nil` when no account is behind the address that was tried, or when it is about many.
    package let accountID: String?
    /// Of a sum, when it happened last.
    package let at: Date
    package let address: String
    package let userAgent: String
    /// How often it happened: more than once for a sum of failures.
    package let count: Int

    package init(
        id: String, kind: Kind, accountID: String?, at: Date, address: String, userAgent: String, count: Int = 1
    ) {
        self.count = count
        self.id = id
        self.kind = kind
        self.accountID = accountID
        self.at = at
        self.address = address
        self.userAgent = userAgent
    }
}

extension SecurityEvent {
    /// Failures of one address that are kept one by one in an hour; the others become one sum a kind and hour.
    package static let failuresKeptAnHour = 10

    /// The same event, of that account.
    package func of(_ accountID: String) -> SecurityEvent {
        SecurityEvent(id: id, kind: kind, accountID: accountID, at: at, address: address, userAgent: userAgent)
    }
}

/// The store's part of the audit trail. Writers pass events with what caused them.
package protocol AuditStore: Sendable {
    /// The account's newest events.
    func events(accountID: String, limit: Int) async throws -> [SecurityEvent]
}
