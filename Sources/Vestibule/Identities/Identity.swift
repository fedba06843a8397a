package import Foundation

/// A way to sign in through a provider: who somebody is there, which is issuer and subject and never the address.
package struct Identity: Sendable, Equatable {
    package let id: String
    package let accountID: String
    /// The provider's name in the settings.
    package let provider: String
    package let issuer: String
    package let subject: String
    /// The address the provider said, for its owner's eyes.
    package let email: String?
    package let createdAt: Date

    package init(
        id: String, accountID: String, provider: String, issuer: String, subject: String, email: String?,
        createdAt: Date
    ) {
        self.id = id
        self.accountID = accountID
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.createdAt = createdAt
    }
}

/// An identity about to be stored, with what lets us end it at the provider, sealed.
package struct NewIdentity: Sendable {
    package let identity: Identity
    package let refreshToken: [UInt8]?

    package init(identity: Identity, refreshToken: [UInt8]?) {
        self.identity = identity
        self.refreshToken = refreshToken
    }
}

/// An identity and whose it is.
package struct IdentityRecord: Sendable {
    package let identity: Identity
    package let account: Account

    package init(identity: Identity, account: Account) {
        self.identity = identity
        self.account = account
    }
}

/// What came of making an account through a provider.
package enum IdentitySignup: Sendable, Equatable {
    case created
    case emailTaken
    /// The identity has an account: somebody was quicker.
    case identityTaken
}

/// What came of taking a way to sign in away.
package enum IdentityRemoval: Sendable, Equatable {
    case removed(Identity, refreshToken: [UInt8]?)
    /// Nothing else would open the account.
    case lastWay
    case unknown
}

/// The store's part of identities.
package protocol IdentityStore: Sendable {
    /// Notes that something may be used once. Returns false when it was used before.
    func useOnce(_ digest: TokenDigest, until: Date) async throws -> Bool
    /// The identity and its account; `nil` when there is none.
    func identity(issuer: String, subject: String) async throws -> IdentityRecord?
    /// Starts a session like a login and keeps a newer refresh token, in one transaction.
    func signIn(identityID: String, refreshToken: [UInt8]?, _ success: LoginSuccess) async throws
    /// Makes account and identity in one transaction, once.
    func addAccount(_ new: NewAccount, identity: NewIdentity) async throws -> IdentitySignup
    /// Adds the identity to its account and queues the notice. Returns false when it belongs to an account already.
    func link(_ new: NewIdentity, notice: QueuedMail, event: SecurityEvent) async throws -> Bool
    /// Removes an identity of the account unless it is the last way in, and queues the notice: one transaction.
    func unlink(id: String, accountID: String, notice: QueuedMail, event: SecurityEvent) async throws -> IdentityRemoval
    /// The provider has ended the identity: it is removed, every session of its account ends, the notice is queued.
    func revokeIdentity(id: String, notice: QueuedMail, event: SecurityEvent) async throws
    /// Keeps an event about an account.
    func note(_ event: SecurityEvent) async throws
    /// The refresh tokens held for an account, with their providers' names.
    func refreshTokens(accountID: String) async throws -> [(provider: String, sealed: [UInt8])]
}
