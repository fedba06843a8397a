package import Foundation

/// When each key of the store signs, and how long verifiers find it among the published keys.
package enum SigningSchedule {
    /// In seconds. So long before it signs a key is published: verifiers have read it by then.
    static let publishedBefore: TimeInterval = 86_400
    /// In seconds. So long after it has signed last a key stays published: a day, and the life of
    /// an assertion.
    static let publishedAfter: TimeInterval = 86_400 + Assertions.lifetime

    /// Where a key is in its life.
    package enum State: Sendable, Equatable {
        case waiting
        case signing
        /// Signs no more. Verifiers find it until then.
        case retired(publishedUntil: Date)
        /// Waits to be deleted.
        case over
    }

    /// The state of each key; the keys are in the order in which they sign.
    static func states(of keys: [StoredSigningKey], at now: Date) -> [State] {
        // The first key signs, also after the clock was set back.
        let signing = keys.lastIndex { $0.signsFrom <= now } ?? keys.startIndex
        return keys.indices.map { index in
            if index > signing { return .waiting }
            if index == signing { return .signing }
            let end = keys[index + 1].signsFrom.addingTimeInterval(publishedAfter)
            return now < end ? .retired(publishedUntil: end) : .over
        }
    }
}

/// The store's part of the keys that sign assertions.
package protocol SigningKeyStore: Sendable {
    /// Of one algorithm, in the order in which they sign.
    func signingKeys(_ algorithm: SigningAlgorithm) async throws -> [StoredSigningKey]
    /// Keeps the key if the store has none of its algorithm. Returns false, and keeps nothing,
    /// otherwise.
    func addFirstSigningKey(_ key: StoredSigningKey) async throws -> Bool
    /// Keeps a key that signs later than all others of its algorithm. Returns false, and keeps
    /// nothing, when one waits already at that key's `createdAt`.
    func addNextSigningKey(_ key: StoredSigningKey, event: SecurityEvent) async throws -> Bool
    /// Puts the key in the place of all others of its algorithm.
    func replaceSigningKeys(with key: StoredSigningKey, event: SecurityEvent) async throws
    /// Keeps the same private key sealed so, unless the key has changed or gone.
    func reseal(_ key: StoredSigningKey, as sealed: [UInt8]) async throws
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
    package let algorithm: SigningAlgorithm

    package init(
        id: String, sealed: [UInt8], createdAt: Date, signsFrom: Date, algorithm: SigningAlgorithm = .es256
    ) {
        self.algorithm = algorithm
        self.id = id
        self.sealed = sealed
        self.createdAt = createdAt
        self.signsFrom = signsFrom
    }
}
