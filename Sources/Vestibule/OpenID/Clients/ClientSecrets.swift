package import Essentials
package import Foundation

/// Makes, checks and revokes the secrets of confidential clients.
package struct ClientSecrets: Sendable {
    /// Of one application: one in use, and one while it is changed.
    package static let mostPerApplication = 2

    let store: any ClientSecretStore
    let author: Operator

    package init(store: any ClientSecretStore, author: Operator = Operator()) {
        (self.store, self.author) = (store, author)
    }

    /// Makes a secret of 256 random bits, which is not kept. Returns nil when the application has
    /// two already.
    package func create(for application: String) async throws -> (id: String, secret: Token)? {
        let secret = Token(from: author.random)
        let kept = ClientSecret(
            id: author.random.id(), application: application, digest: secret.digest, createdAt: author.now())
        let event = author.event(.clientSecretCreated)
        return try await store.addClientSecret(kept, event: event) ? (kept.id, secret) : nil
    }

    /// In the order in which they were made.
    package func list(_ application: String) async throws -> [ClientSecret] {
        try await store.clientSecrets(of: application)
    }

    /// Returns false if the application has no such secret.
    package func revoke(id: String, of application: String) async throws -> Bool {
        try await store.revokeClientSecret(id: id, of: application, event: author.event(.clientSecretRevoked))
    }

    /// Whether it is one of the application's. How long that takes tells nothing about how much of
    /// it is right.
    func verify(_ presented: String, of application: String) async throws -> Bool {
        let digest = TokenDigest(of: presented).bytes
        return try await list(application).reduce(false) { ConstantTime.equal($1.digest.bytes, digest) || $0 }
    }
}

/// The secret of a confidential client, as the store keeps it.
package struct ClientSecret: Sendable, Equatable {
    /// Names it in listings; opens nothing.
    package let id: String
    package let application: String
    package let digest: TokenDigest
    package let createdAt: Date

    package init(id: String, application: String, digest: TokenDigest, createdAt: Date) {
        (self.id, self.application, self.digest, self.createdAt) = (id, application, digest, createdAt)
    }
}

/// The store's part of clients' secrets.
package protocol ClientSecretStore: Sendable {
    /// In the order in which they were made.
    func clientSecrets(of application: String) async throws -> [ClientSecret]
    /// Returns false, and keeps nothing, when the application has
    /// `ClientSecrets.mostPerApplication`.
    func addClientSecret(_ secret: ClientSecret, event: SecurityEvent) async throws -> Bool
    /// Returns false, and keeps no event, if there is none.
    func revokeClientSecret(id: String, of application: String, event: SecurityEvent) async throws -> Bool
}

extension SecurityEvent.Kind {
    static let clientSecretCreated = Self("client_secret_created", log: "authn_token_created")
    static let clientSecretRevoked = Self("client_secret_revoked", log: "authn_token_revoked")
}
