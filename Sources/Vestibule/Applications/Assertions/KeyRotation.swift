package import Essentials
import Foundation

/// Shows and replaces the keys that sign assertions, for the operator, and seals them under a new
/// secret key.
package struct KeyRotation: Sendable {
    let store: any SigningKeyStore
    let secretKey: SecretKey
    let author: Operator

    package init(store: any SigningKeyStore, secretKey: SecretKey, author: Operator = Operator()) {
        (self.store, self.secretKey, self.author) = (store, secretKey, author)
    }

    /// A key in a listing.
    package struct Entry: Sendable, Equatable {
        package let key: StoredSigningKey
        package let state: SigningSchedule.State
        /// Whether the secret key opens it.
        package let opens: Bool
    }

    /// Those of which there are keys, the one for assertions always.
    package func algorithms() async throws -> [SigningAlgorithm] {
        var used: [SigningAlgorithm] = []
        for algorithm in SigningAlgorithm.allCases {
            let keys = try await store.signingKeys(algorithm)
            if algorithm == .es256 || !keys.isEmpty { used.append(algorithm) }
        }
        return used
    }

    /// In the order in which they sign.
    package func list(_ algorithm: SigningAlgorithm = .es256) async throws -> [Entry] {
        let keys = try await store.signingKeys(algorithm)
        return zip(keys, SigningSchedule.states(of: keys, at: author.now())).map { key, state in
            Entry(key: key, state: state, opens: (try? SigningKey(key, key: secretKey)) != nil)
        }
    }

    /// Those of all algorithms.
    package func listAll() async throws -> [Entry] {
        var entries: [Entry] = []
        for algorithm in SigningAlgorithm.allCases { entries += try await list(algorithm) }
        return entries
    }

    /// Makes a key that signs a day from now, or at once if it is the first. Returns nil, and makes
    /// none, when one waits already.
    package func rotate(_ algorithm: SigningAlgorithm = .es256) async throws -> StoredSigningKey? {
        let now = author.now()
        let key = try await SigningKey.make(algorithm)
        let first = try key.stored(sealedBy: secretKey, createdAt: now, signsFrom: now)
        if try await store.addFirstSigningKey(first) { return first }
        let signsFrom = now.addingTimeInterval(SigningSchedule.publishedBefore)
        let next = try key.stored(sealedBy: secretKey, createdAt: now, signsFrom: signsFrom)
        return try await store.addNextSigningKey(next, event: author.event(.signingKeyAdded)) ? next : nil
    }

    /// Makes a key that signs at once and takes all others of its algorithm away: what they have
    /// signed is refused once verifiers read the keys again.
    package func replace(_ algorithm: SigningAlgorithm = .es256) async throws -> StoredSigningKey {
        let now = author.now()
        let key = try await SigningKey.make(algorithm).stored(sealedBy: secretKey, createdAt: now, signsFrom: now)
        try await store.replaceSigningKeys(with: key, event: author.event(.signingKeysReplaced))
        return key
    }

    /// Seals anew, with the current secret key, what the previous one has sealed, once every node
    /// that serves seals with the current one. What neither opens stays as it is.
    func reseal(besides nodes: any NodeStore) async throws {
        guard try await nodes.mayReseal(under: secretKey, at: author.now()) else { return }
        for algorithm in SigningAlgorithm.allCases {
            for key in try await store.signingKeys(algorithm) {
                guard let sealed = secretKey.resealed(key.sealed, for: .signingKey(id: key.id)) else { continue }
                try await store.reseal(key, as: sealed)
            }
        }
    }
}
