import Essentials
import Foundation
import Synchronization

/// The keys of one algorithm that sign assertions or ID tokens, read from the store again when they
/// were read 30 seconds ago.
///
/// The first use of a store makes its first key.
final class SigningKeys: Sendable {
    private let store: any SigningKeyStore
    private let algorithm: SigningAlgorithm
    private let secretKey: SecretKey
    private let now: @Sendable () -> Date
    private let latest = Mutex<Reading?>(nil)
    /// In seconds. With the 30 seconds an assertion is used again, no node signs for more than a
    /// minute with a key that was taken away.
    private static let readAgainAfter: TimeInterval = 30

    /// The keys of one moment.
    fileprivate struct Reading: Sendable {
        let at: Date
        let stored: [StoredSigningKey]
        /// Those that open, by id.
        let opened: [String: SigningKey]
        /// Of the one that signs, one that will, and those that did lately.
        let published: [SigningKey.PublicKey]
    }

    init(
        store: any SigningKeyStore, algorithm: SigningAlgorithm = .es256, secretKey: SecretKey,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.algorithm = algorithm
        self.secretKey = secretKey
        self.now = now
    }

    /// Signs with the key whose turn it is. Throws `SigningKeyUnusable`.
    func sign(_ claims: some Encodable, type: String = "JWT") async throws -> String {
        try await signer().sign(try CompactJSON.encode(claims, isSorted: true), type: type)
    }

    /// The key whose turn it is. Throws `SigningKeyUnusable`.
    func signer() async throws -> SigningKey {
        let reading = try await reading()
        let states = SigningSchedule.states(of: reading.stored, at: now())
        guard let index = states.firstIndex(of: .signing), let key = reading.opened[reading.stored[index].id] else {
            throw SigningKeyUnusable()
        }
        return key
    }

    /// The claims of a token that one of these keys has signed; nil for any other text, and for a
    /// token of another type. Says nothing about whether it is still good.
    func claims(of token: String) async throws -> [UInt8]? {
        let parts = token.parts(by: ".").map(String.init)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let claims = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), case .object(let members) = try? JSONParser.parse(header),
            members["alg"] == .string(algorithm.rawValue), members["typ"] == .string("JWT"),
            case .string(let id)? = members["kid"],
            let key = try await reading().opened[id]
        else { return nil }
        return key.verifies(signature, of: Array("\(parts[0]).\(parts[1])".utf8)) ? claims : nil
    }

    fileprivate func reading() async throws -> Reading {
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
        var stored = try await store.signingKeys(algorithm)
        if stored.isEmpty {
            let first = try await SigningKey.make(algorithm)
                .stored(sealedBy: secretKey, createdAt: now, signsFrom: now)
            // Another node may have been quicker: its key counts.
            _ = try await store.addFirstSigningKey(first)
            stored = try await store.signingKeys(algorithm)
        }
        let keys = stored.map { try? SigningKey($0, key: secretKey) }
        let states = SigningSchedule.states(of: stored, at: now)
        return Reading(
            at: now, stored: stored,
            opened: Dictionary(keys.compactMap { $0 }.map { ($0.id, $0) }) { first, _ in first },
            published: try zip(keys, states).filter { $1 != .over }.compactMap { try $0.0?.publicKey })
    }
}

/// The keys that sign, of each algorithm that is in use, as verifiers read them.
struct KeySet: Sendable {
    let keys: [SigningKeys]

    /// A JSON Web Key Set (RFC 7517 section 5); the same bytes on all nodes.
    func document() async throws -> [UInt8] {
        var published: [SigningKey.PublicKey] = []
        for each in keys { published += try await each.reading().published }
        return try CompactJSON.encode(["keys": published], isSorted: true)
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
