package import Foundation

/// The store's part of the keys that sign assertions.
package protocol SigningKeyStore: Sendable {
    /// In the order in which they sign.
    func signingKeys() async throws -> [StoredSigningKey]
    /// Keeps the key if the store has none. Returns false, and keeps nothing, otherwise.
    func addFirstSigningKey(_ key: StoredSigningKey) async throws -> Bool
    /// Keeps a key that signs later than all others. Returns false, and keeps nothing, when one
    /// waits already at that key's `createdAt`.
    func addNextSigningKey(_ key: StoredSigningKey, event: SecurityEvent) async throws -> Bool
    /// Puts the key in the place of all others.
    func replaceSigningKeys(with key: StoredSigningKey, event: SecurityEvent) async throws
}

/// A key that signs assertions, as the store keeps it.
package struct StoredSigningKey: Sendable, Equatable {
    /// The thumbprint of its public part (RFC 7638).
    package let id: String
    /// The private key, sealed for this id.
    package let sealed: [UInt8]
    package let createdAt: Date
    /// It signs until another key begins to.
    package let signsFrom: Date

    package init(id: String, sealed: [UInt8], createdAt: Date, signsFrom: Date) {
        self.id = id
        self.sealed = sealed
        self.createdAt = createdAt
        self.signsFrom = signsFrom
    }
}
