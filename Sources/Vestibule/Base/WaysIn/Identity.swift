package import Essentials
package import Foundation

/// A way to sign in through a provider: who somebody is there, which is issuer and subject and
/// never the address.
package struct Identity: Sendable, Equatable {
    package let id: String
    package let accountID: AccountID
    /// The provider's name in the settings.
    package let provider: String
    package let issuer: String
    package let subject: String
    /// The address the provider gave, which only the account's owner is shown.
    package let email: String?
    package let createdAt: Date
    /// Nil before the first sign-in with it.
    package let lastUsedAt: Date?

    package init(
        id: String, accountID: AccountID, provider: String, issuer: String, subject: String, email: String?,
        createdAt: Date, lastUsedAt: Date? = nil
    ) {
        self.id = id
        self.accountID = accountID
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
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
    case removed(LinkedIdentity)
    /// Nothing else would open the account.
    case lastWay
    case unknown
}

extension SecurityEvent.Kind {
    static let identityLinked = Self("identity_linked", log: "user_updated")
    static let identityUnlinked = Self("identity_unlinked", log: "user_updated")
    static let passkeyRemoved = Self("passkey_removed", log: "user_updated")
}

/// An identity with what lets us end it at the provider, sealed.
package struct LinkedIdentity: Sendable, Equatable {
    package let identity: Identity
    package let refreshToken: [UInt8]?

    package init(identity: Identity, refreshToken: [UInt8]?) {
        self.identity = identity
        self.refreshToken = refreshToken
    }
}
