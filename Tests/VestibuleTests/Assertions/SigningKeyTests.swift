import Crypto
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import Essentials
@testable import Vestibule

@Suite(.timeLimit(.minutes(15)))
struct SigningKeyTests {
    private let audience: Origin

    init() throws {
        audience = try #require(Origin("https://notes.example.com"))
    }

    /// The id of the key that signs for that house now.
    private func signer(_ house: House, _ assertions: Assertions) async throws -> String {
        let token = MachineToken(
            id: UUID().uuidString, application: "notes", label: "x", createdAt: house.clock.now, expiresAt: nil)
        let text = try await assertions.assertion(for: token, audience: audience)
        return try #require(try ReadAssertion(text, keySet: try await house.keySet()).header["kid"])
    }

    private func published(_ house: House) async throws -> [String] {
        try ReadAssertion.keys(try await house.keySet()).compactMap { $0["kid"] }
    }

    private func document(_ store: any Store, _ key: SecretKey) async throws -> [UInt8] {
        try await KeySet(keys: [SigningKeys(store: store, secretKey: key, now: { Date() })]).document()
    }

    private func rotation(_ house: House) -> KeyRotation {
        KeyRotation(
            store: house.services.store, secretKey: house.services.secretKey, author: house.services.author)
    }

    @Test func `the key set has public parts only, for five minutes`() async throws {
        try await withHouse { house in
            let page = try await house.visitor().get("/.well-known/jwks.json")
            #expect(page.status == .ok && page.headers[.contentType] == "application/jwk-set+json")
            #expect(page.headers[.cacheControl] == "public, max-age=300")
            let keys = try ReadAssertion.keys(page.body)
            let key = try #require(keys.first)
            #expect(keys.count == 1 && Set(key.keys) == ["kty", "crv", "x", "y", "use", "alg", "kid"])
            #expect(key["kty"] == "EC" && key["crv"] == "P-256" && key["use"] == "sig" && key["alg"] == "ES256")
            #expect(try await house.visitor().get("/.well-known/jwks.json").body == page.body)
        }
    }

    @Test func `a key's id is its thumbprint`() throws {
        // RFC 7638 has no example for P-256: the first key of RFC 7517 appendix A.1, with a
        // thumbprint that was worked out with Python.
        let x = try #require(Base64URL.decode("MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"))
        let y = try #require(Base64URL.decode("4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"))
        let key = SigningKey.PublicKey(try P256.Signing.PublicKey(rawRepresentation: x + y))
        #expect(key.kid == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s")
    }

    @Test func `twenty first uses at once, on two nodes, make one key`() async throws {
        let stores = try await HouseEngine.openTwice()
        let documents = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<20 {
                let keys = SigningKeys(store: stores[number % 2], secretKey: House.key, now: { Date() })
                group.addTask { try await KeySet(keys: [keys]).document() }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(documents.count == 1)
        #expect(try await stores[1].signingKeys(.es256).count == 1)
        for store in stores { try await blocking { try store.close() } }
    }

    @Test func `a new key is published a day before it signs, and the old one a day after`() async throws {
        try await withHouse(logLevel: .debug) { house in
            let assertions = house.assertions()
            let old = try await signer(house, assertions)
            let new = try #require(try await rotation(house).rotate())
            #expect(try await rotation(house).rotate() == nil)
            house.clock.advance(by: .seconds(30))
            #expect(try await published(house) == [old, new.id])
            #expect(try await signer(house, assertions) == old)
            house.clock.advance(by: .seconds(86_400 - 31))
            #expect(try await signer(house, assertions) == old)
            house.clock.advance(by: .seconds(1))
            #expect(try await signer(house, assertions) == new.id)
            #expect(try await published(house) == [old, new.id])
            house.clock.advance(by: .seconds(86_459))
            #expect(try await published(house) == [old, new.id])
            // The nodes read the keys again after 30 seconds.
            house.clock.advance(by: .seconds(30))
            #expect(try await published(house) == [new.id])
            try await house.tidy()
            #expect(try await house.services.store.signingKeys(.es256).map(\.id) == [new.id])
        }
    }

    @Test func `of a compromised key nothing is signed or published after half a minute`() async throws {
        try await withHouse { house in
            let assertions = house.assertions()
            let old = try await signer(house, assertions)
            _ = try await rotation(house).rotate()
            let new = try await rotation(house).replace()
            house.clock.advance(by: .seconds(30))
            #expect(try await published(house) == [new.id] && old != new.id)
            #expect(try await signer(house, assertions) == new.id)
            let entries = try await rotation(house).list()
            #expect(entries.map(\.key) == [new] && entries.map(\.state) == [.signing] && entries.map(\.opens) == [true])
        }
    }

    @Test func `a rotated secret key opens the keys, a lost one signs and publishes nothing`() async throws {
        let store = try await sharedStore()
        let (first, second) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let keySet = try await document(store, SecretKey(current: first))
        let rotated = SecretKey(current: second, previous: first)
        #expect(try await document(store, rotated) == keySet)
        try await withHouse(store: store, key: SecretKey(current: second)) { house in
            #expect(try await house.keySet() == #"{"keys":[]}"#)
            try await house.until { house.logs.lines(of: "signing_keys_unreadable").count == 1 }
            await #expect(throws: SigningKeyUnusable.self) { try await signer(house, house.assertions()) }
            #expect(try await rotation(house).list().map(\.opens) == [false])
            let new = try await rotation(house).replace()
            house.clock.advance(by: .seconds(30))
            #expect(try await published(house) == [new.id])
        }
    }

    @Test func `under a new secret key the keys are sealed anew, once no node works with the old one`() async throws {
        let (store, clock) = try await (sharedStore(), TestClock())
        let (first, second) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let keySet = try await document(store, SecretKey(current: first))
        let both = SecretKey(current: second, previous: first)
        try await withHouse(store: store, key: SecretKey(current: first), clock: clock) { old in
            try await old.until { try await store.nodes().count == 1 }
            try await withHouse(store: store, key: both, clock: clock, logLevel: .debug) { try await $0.tidy() }
            #expect(try await document(store, SecretKey(current: second)) == Array(#"{"keys":[]}"#.utf8))
        }
        clock.advance(by: .seconds(Int64(Node.silentAfter) + 1))
        try await withHouse(store: store, key: both, clock: clock, logLevel: .debug) { house in
            try await house.tidy()
            #expect(try await document(store, SecretKey(current: second)) == keySet)
            #expect(try await document(store, SecretKey(current: first)) == Array(#"{"keys":[]}"#.utf8))
        }
    }

    @Test(arguments: [SigningAlgorithm.es256, .rs256])
    func `a signature verifies with BoringSSL, also after the key was stored`(
        _ algorithm: SigningAlgorithm
    ) async throws {
        let made = try await SigningKey.make(algorithm)
        let stored = try made.stored(sealedBy: House.key, createdAt: Date(), signsFrom: Date())
        for key in [made, try SigningKey(stored, key: House.key)] {
            let parts = try key.sign([UInt8](#"{"sub":"ada"}"#.utf8), type: "JWT").parts(by: ".").map(String.init)
            let signature = try #require(Base64URL.decode(parts[2]))
            #expect(made.verifies(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
            #expect(!made.verifies(signature, of: Array("\(parts[0]).\(parts[0])".utf8)))
        }
    }

    @Test func `a store that cannot work publishes and signs nothing`() async throws {
        try await withHouse(store: BrokenStore(error: StoreUnavailable("locked"))) { house in
            let page = try await house.visitor().get("/.well-known/jwks.json")
            #expect(page.status == .serviceUnavailable && page.headers[.cacheControl] == "no-store")
            await #expect(throws: StoreUnavailable.self) { try await signer(house, house.assertions()) }
        }
    }

    @Test func `a row that is put into the place of another key does not open`() async throws {
        let stored = try await SigningKey.make(.es256).stored(sealedBy: House.key, createdAt: Date(), signsFrom: Date())
        #expect(try SigningKey(stored, key: House.key).id == stored.id)
        let moved = StoredSigningKey(
            id: String(repeating: "a", count: 43), sealed: stored.sealed, createdAt: stored.createdAt,
            signsFrom: stored.signsFrom)
        #expect(throws: (any Error).self) { try SigningKey(moved, key: House.key) }
        #expect("\(try SigningKey(stored, key: House.key))" == "•••")
    }
}
