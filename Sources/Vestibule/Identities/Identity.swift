package import Essentials
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

/// What a provider granted for an identity, as the store keeps it: sealed for that identity.
package struct SealedGrant: Sendable {
    /// The provider's name in the settings.
    package let provider: String
    package let issuer: String
    package let subject: String
    package let bytes: [UInt8]

    package init(provider: String, issuer: String, subject: String, bytes: [UInt8]) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.bytes = bytes
    }

    init(_ identity: Identity, _ bytes: [UInt8]) {
        self.init(provider: identity.provider, issuer: identity.issuer, subject: identity.subject, bytes: bytes)
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

/// What may be used a single time, and until when it would be worth anything.
package struct Once: Sendable {
    package let digest: TokenDigest
    package let until: Date

    package init(digest: TokenDigest, until: Date) {
        self.digest = digest
        self.until = until
    }
}

/// It was used before, so nothing was written.
package struct UsedBefore: Error {
    package init() {}
}

/// The store's part of identities; where something may be used `once`, that is noted in the same transaction.
package protocol IdentityStore: Sendable {
    /// Notes that something is used. Returns false when it was used before.
    func use(_ once: Once) async throws -> Bool
    /// The identity and its account; `nil` when there is none.
    func identity(issuer: String, subject: String) async throws -> IdentityRecord?
    /// Starts a session like a login and keeps a newer refresh token, in one transaction. Returns whether a mail was
    /// queued. Throws `Superseded` when the identity has ended, and `UsedBefore`.
    @discardableResult
    func signIn(identityID: String, refreshToken: [UInt8]?, once: Once?, _ success: LoginSuccess) async throws -> Bool
    /// Makes account and identity in one transaction. Throws `UsedBefore`.
    func addAccount(_ new: NewAccount, identity: NewIdentity, once: Once?) async throws -> IdentitySignup
    /// Adds the identity to the account of that session and queues the notice. Returns false when it belongs to an account
    /// already. Throws `Superseded` when the session has ended, and `UsedBefore`.
    func link(
        _ new: NewIdentity, sessionID: String, once: Once?, notice: QueuedMail, event: SecurityEvent
    ) async throws -> Bool
    /// Removes an identity of the account and queues the notice, unless nothing but ways through other providers than the
    /// `configured` would be left: one transaction.
    func unlink(
        id: String, accountID: String, configured: [String], notice: QueuedMail, event: SecurityEvent
    ) async throws -> IdentityRemoval
    /// The provider has ended the identity: it is removed, every session of its account ends, the notice is queued. Throws
    /// `UsedBefore`.
    func revokeIdentity(id: String, once: Once, notice: QueuedMail, event: SecurityEvent) async throws
    /// Keeps an event about an account. Throws `UsedBefore`.
    func note(_ event: SecurityEvent, once: Once) async throws
    /// Keeps a newer refresh token, sealed. Returns false when there is no such identity any more.
    func keepRefreshToken(_ sealed: [UInt8], issuer: String, subject: String) async throws -> Bool
    /// The identities of the account with that address, the oldest first; none when there is no
    /// such account.
    func linkedIdentities(emailKey: String) async throws -> [LinkedIdentity]
    /// The refresh tokens held for an account.
    func refreshTokens(accountID: String) async throws -> [SealedGrant]
}
