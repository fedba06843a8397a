import Essentials
import Foundation
import JWTKit
import Synchronization

/// The keys that sign assertions, read from the store again when they were read 30 seconds ago.
///
/// The first use of a store makes its first key.
final class SigningKeys: Sendable {
    private let store: any SigningKeyStore
    private let secretKey: SecretKey
    private let now: @Sendable () -> Date
    private let latest = Mutex<Reading?>(nil)
    /// In seconds. With the 30 seconds an assertion is used again, no node signs for more than a
    /// minute with a key that was taken away.
    private static let readAgainAfter: TimeInterval = 30

    /// The keys of one moment.
    private struct Reading: Sendable {
        let at: Date
        let stored: [StoredSigningKey]
        /// Holds those that open.
        let signers: JWTKeyCollection
        let opened: Set<String>
        let document: [UInt8]
    }

    init(store: any SigningKeyStore, secretKey: SecretKey, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.secretKey = secretKey
        self.now = now
    }

    /// The public keys as a JSON Web Key Set (RFC 7517 section 5): the one that signs, one that
    /// will, and those that did lately.
    func document() async throws -> [UInt8] {
        try await reading().document
    }

    /// Signs with the key whose turn it is. Throws `SigningKeyUnusable`.
    func sign(_ claims: AssertionClaims) async throws -> String {
        let reading = try await reading()
        let states = SigningSchedule.states(of: reading.stored, at: now())
        guard let index = states.firstIndex(of: .signing), reading.opened.contains(reading.stored[index].id) else {
            throw SigningKeyUnusable()
        }
        return try await reading.signers.sign(claims, kid: JWKIdentifier(string: reading.stored[index].id))
    }

    /// In one order, so that all nodes publish the same bytes.
    private static func keySet(_ keys: [SigningKey.PublicKey]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return [UInt8](try encoder.encode(["keys": keys]))
    }

    private func reading() async throws -> Reading {
        let now = now()
        let known = latest.withLock { reading in
            reading.flatMap { (0..<Self.readAgainAfter).contains(now.timeIntervalSince($0.at)) ? $0 : nil }
        }
        if let known { return known }
        let fresh = try await read(at: now)
        latest.withLock { $0 = fresh }
        return fresh
    }

    private func read(at now: Date) async throws -> Reading {
        var stored = try await store.signingKeys()
        if stored.isEmpty {
            let first = try SigningKey().stored(sealedBy: secretKey, createdAt: now, signsFrom: now)
            // Another node may have been quicker: its key counts.
            _ = try await store.addFirstSigningKey(first)
            stored = try await store.signingKeys()
        }
        let keys = stored.map { try? SigningKey($0, key: secretKey) }
        let signers = JWTKeyCollection()
        for key in keys.compactMap({ $0 }) {
            await signers.add(ecdsa: try ES256PrivateKey(backing: key.key), kid: JWKIdentifier(string: key.id))
        }
        let states = SigningSchedule.states(of: stored, at: now)
        let published = zip(keys, states).filter { $1 != .over }.compactMap { $0.0?.publicKey }
        return Reading(
            at: now, stored: stored, signers: signers, opened: Set(keys.compactMap { $0?.id }),
            document: try Self.keySet(published))
    }
}

/// The key whose turn it is to sign was sealed with another secret key.
struct SigningKeyUnusable: Error, CustomStringConvertible {
    let description = """
        the key that signs assertions was sealed with another VESTIBULE_SECRET_KEY; set \
        VESTIBULE_SECRET_KEY_PREVIOUS, or run `vestibule keys rotate --compromised`
        """
}

extension SecurityEvent.Kind {
    static let signingKeyAdded = Self("signing_key_added", log: "sys_key_rotated")
    static let signingKeysReplaced = Self("signing_keys_replaced", log: "sys_key_rotated")
}
