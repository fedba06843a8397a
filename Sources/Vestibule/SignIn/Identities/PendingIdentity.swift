import Essentials
import Foundation

/// A person a provider vouches for who has no account here yet, or has not linked it; carried
/// sealed by their browser.
struct PendingIdentity: Sendable, Codable {  // Parts: carried sealed, by older versions as well.
    static let lifetime: TimeInterval = 1800

    /// A random value; for an app its nonce.
    let id: String
    let provider: String
    let issuer: String
    let subject: String
    let email: String?
    let isEmailVerified: Bool
    let name: String?
    let grant: ProviderGrant?
    var returnTo: String?
    /// "Keep me signed in"; nil is no.
    let remember: Bool?
    /// When the person signed in at the provider. With nil the session counts from the sign-in
    /// here.
    let provedAt: Date?
    let expiresAt: Date
    /// The session that a sign-up may take the place of, as its owner has agreed.
    var mayReplace: SessionID?

    /// It may be used a single time, to sign in or to make or connect an account.
    var once: Once {
        Once(digest: TokenDigest(of: "identity \(id)"), until: expiresAt)
    }

    /// Runs work that may happen once for this answer of the provider. Throws `ProviderFault` when
    /// it has happened before.
    func using<Value>(_ work: (Once) async throws -> Value) async throws -> Value {
        do {
            return try await work(once)
        } catch is UsedBefore {
            throw ProviderFault.rejected("used before")
        }
    }

    /// What it becomes when it is added to an account.
    func linked(id: String, to accountID: AccountID, at now: Date, _ key: SecretKey) throws -> LinkedIdentity {
        let identity = Identity(
            id: id, accountID: accountID, provider: provider, issuer: issuer, subject: subject, email: email,
            createdAt: now)
        return LinkedIdentity(identity: identity, refreshToken: try sealedGrant(key))
    }

    /// What the provider granted, for the store; `nil` when it granted nothing to keep.
    func sealedGrant(_ key: SecretKey) throws -> [UInt8]? {
        try grant?.sealed(key, issuer: issuer, subject: subject)
    }
}
