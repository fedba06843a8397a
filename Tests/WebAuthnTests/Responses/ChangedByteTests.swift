import Bytes
import TestSupport
import Testing

@testable import WebAuthn

/// Responses made by PyPI's fido2, as they are and with one byte changed.
@Suite struct ChangedByteTests {
    /// The same changes in every run.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 33
        }
    }

    private struct Case {
        let pair: Fixture.Pair
        let first: WebAuthnChallenge
        let second: WebAuthnChallenge
        let passkey: RegisteredCredential
    }

    private let cases: [Case]

    init() throws {
        cases = try Fixture.pairs().map { pair in
            let first = try #require(WebAuthnChallenge(pair.registrationChallenge))
            let second = try #require(WebAuthnChallenge(pair.assertionChallenge))
            return Case(pair: pair, first: first, second: second, passkey: try pair.registration.register(first))
        }
    }

    @Test func `100 responses of another implementation are accepted`() throws {
        #expect(cases.count == 50)
        for one in cases {
            #expect(one.passkey.publicKey.algorithm.rawValue == one.pair.algorithm)
            #expect(one.passkey.transports == one.pair.registration.response.transports?.sorted())
            let said = try one.pair.assertion.signIn(one.second, by: one.passkey.publicKey)
            #expect(said.signatureCount == (one.passkey.signatureCount == 0 ? 0 : one.passkey.signatureCount + 1))
            #expect(said.isBackedUp == one.passkey.isBackedUp)
            let response = try AssertionResponse(json: one.pair.assertion.json)
            #expect(response.credentialID == one.passkey.id && response.userHandle != nil)
        }
    }

    @Test func `a sign-in with any one byte changed is refused`() throws {
        for (number, one) in cases.enumerated() {
            for part in [\Message.Response.authenticatorData, \.signature] {
                try each(of: part, in: one.pair.assertion, seed: number) { changed, index in
                    #expect(throws: WebAuthnRefusal.self, "\(number) \(part) \(index)") {
                        try changed.signIn(one.second, by: one.passkey.publicKey)
                    }
                }
            }
            try eachOfClientData(in: one.pair.assertion, seed: number) { changed, index in
                #expect(throws: WebAuthnRefusal.self, "\(number) client data \(index)") {
                    try changed.signIn(one.second, by: one.passkey.publicKey)
                }
            }
        }
    }

    /// Nothing signs what is ignored and what the authenticator may choose: model, counter, backup,
    /// the key itself.
    @Test func `a registration with one byte changed is refused, or another passkey`() throws {
        for (number, one) in cases.enumerated() {
            let object = try #require(bytes(one.pair.registration.response.attestationObject))
            let ignored = try ignored(in: object)
            try each(of: \.attestationObject, in: one.pair.registration, seed: number) { changed, index in
                guard let passkey = try? changed.register(one.first) else { return }
                #expect(passkey != one.passkey || ignored.contains(index), "\(number) \(index)")
                guard passkey.publicKey != one.passkey.publicKey else { return }
                #expect(throws: WebAuthnRefusal.self, "\(number) \(index)") {
                    try one.pair.assertion.signIn(one.second, by: passkey.publicKey)
                }
            }
        }
    }

    @Test func `a registration with a byte changed in type, challenge or origin is refused`() throws {
        for (number, one) in cases.enumerated() {
            let client = try #require(bytes(one.pair.registration.response.clientDataJSON))
            let end = try #require(String(decoding: client, as: UTF8.self).parts(by: "}").first?.utf8.count)
            try eachOfClientData(in: one.pair.registration, seed: number) { changed, index in
                guard index < end - ",\"crossOrigin\":false".utf8.count else { return }
                #expect(throws: WebAuthnRefusal.self, "\(number) \(index)") { try changed.register(one.first) }
            }
        }
    }

    @Test func `an id that is not the one inside is refused`() throws {
        for one in cases {
            for part in [\Message.id, \Message.rawId] {
                var changed = one.pair.registration
                changed[keyPath: part] = Base64URL.encode(one.passkey.id.bytes.map { $0 ^ 1 })
                #expect(throws: WebAuthnRefusal.wrongCredential) { try changed.register(one.first) }
            }
            var both = one.pair.registration
            both.rawId = Base64URL.encode(one.passkey.id.bytes.map { $0 ^ 1 })
            both.id = both.rawId
            #expect(throws: WebAuthnRefusal.wrongCredential) { try both.register(one.first) }
        }
    }

    /// Bytes that nobody asked for: format and statement, flags without a meaning, extensions.
    private func ignored(in object: [UInt8]) throws -> Set<Int> {
        let data = try #require(CBORReader.item(in: object)["authData"]?.bytes)
        let start = object.count - data.count
        let idCount = Int(data[53]) << 8 | Int(data[54])
        var reader = CBORReader(data[(55 + idCount)...])
        _ = try reader.item()
        return Set(1..<start).union([start + 32]).union(start + reader.position..<object.count)
    }

    private func bytes(_ text: String?) -> [UInt8]? { text.flatMap(Base64URL.decode) }

    /// One byte changed to another one: every fourth, at each response others.
    private func each(
        of part: WritableKeyPath<Message.Response, String?>, in message: Message, seed: Int,
        _ body: (Message, Int) throws -> Void
    ) throws {
        var random = Seeded(state: UInt64(seed + 1))
        let original = try #require(bytes(message.response[keyPath: part]))
        for index in original.indices where index % 4 == seed % 4 {
            var (changed, bytes) = (message, original)
            bytes[index] ^= UInt8.random(in: 1...255, using: &random)
            changed.response[keyPath: part] = Base64URL.encode(bytes)
            try body(changed, index)
        }
    }

    private func eachOfClientData(in message: Message, seed: Int, _ body: (Message, Int) throws -> Void) throws {
        var random = Seeded(state: UInt64(seed + 1))
        let original = try #require(bytes(message.response.clientDataJSON))
        for index in original.indices where index % 4 == seed % 4 {
            var (changed, bytes) = (message, original)
            bytes[index] ^= UInt8.random(in: 1...255, using: &random)
            changed.response.clientDataJSON = Base64URL.encode(bytes)
            try body(changed, index)
        }
    }
}
