import Bytes
import TestSupport
import Testing

@testable import WebAuthn

/// CBOR that no authenticator writes.
@Suite struct HostileCBORTests {
    private static let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

    static let hostile: [(String, [UInt8])] =
        [
            ("nothing", []), ("two items", [0, 0]), ("trailing after a map", [0xA0, 0]),
            ("deep arrays", [UInt8](repeating: 0x81, count: 40_000) + [0]),
            ("deep maps", (0..<20_000).flatMap { _ in [0xA1, 0x00] as [UInt8] } + [0]),
            ("five levels", [0x81, 0x81, 0x81, 0x81, 0x81, 0]),
            ("many items", CBOR.head(4, 40_000) + [UInt8](repeating: 0, count: 40_000)),
            ("many empty maps", CBOR.head(4, 40_000) + [UInt8](repeating: 0xA0, count: 40_000)),
            ("257 items", CBOR.head(4, 256) + [UInt8](repeating: 0, count: 256)),
            ("a tag", [0xC0, 0]), ("a break", [0xFF]), ("a simple value of two bytes", [0xF8, 0x20]),
            ("an unassigned simple value", [0xF3]), ("text that is not UTF-8", [0x62, 0xC3, 0x28]),
            ("half a surrogate in text", [0x63, 0xED, 0xA0, 0x80]),
            ("bytes for a key", [0xA1, 0x41, 0, 0]), ("an array for a key", [0xA1, 0x80, 0]),
            ("a map for a key", [0xA1, 0xA0, 0]), ("true for a key", [0xA1, 0xF5, 0]),
            ("a number twice", [0xA2, 1, 0, 1, 0]), ("a number twice, spelled longer", [0xA2, 1, 0, 0x18, 1, 0]),
            ("a negative number twice", [0xA2, 0x20, 0, 0x20, 0]),
            ("a text twice", [0xA2, 0x61, 0x61, 0, 0x61, 0x61, 0]),
        ]
        + [0x1B, 0x3B, 0x5B, 0x7B, 0x9B, 0xBB, 0xDB].map {
            ("huge \($0)", $0 < 0x5B ? [$0] + huge.dropLast() : [$0] + huge)
        }
        + [0x5A, 0x7A, 0x9A, 0xBA].map { ("4 GiB \($0)", [$0, 0xFF, 0xFF, 0xFF, 0xFF]) }
        + [0x5F, 0x7F, 0x9F, 0xBF].map { ("indefinite \($0)", [$0, 0xFF]) }
        + (0..<8).flatMap { kind in [28, 29, 30].map { ("reserved \(kind) \($0)", [kind << 5 | $0, 0, 0]) } }

    @Test func `more than 30 combining marks in a row are refused, in a key and in a value`() {
        // Of two classes, which a comparison has to sort.
        let marks = CBOR.text("a" + String(repeating: "\u{0301}\u{0323}", count: 15) + "\u{0301}")
        for item in [CBOR.map((marks, [0])), CBOR.map((CBOR.text("a"), marks))] {
            #expect(throws: WebAuthnRefusal.malformed) { try CBORReader.item(in: item) }
        }
    }

    @Test(arguments: hostile.indices) func `it is refused`(index: Int) {
        #expect(throws: WebAuthnRefusal.malformed, "\(Self.hostile[index].0)") {
            try CBORReader.item(in: Self.hostile[index].1)
        }
    }

    @Test(arguments: hostile.indices) func `it is refused for an attestation object, a key and an extension`(
        index: Int
    ) throws {
        let (name, bytes) = Self.hostile[index]
        let challenge = WebAuthnChallenge.random(.system)
        var authenticator = Authenticator()
        let whole = authenticator.registration(challenge, object: bytes)
        #expect(throws: WebAuthnRefusal.malformed, "\(name)") { try whole.register(challenge) }
        authenticator.statement = CBOR.map((CBOR.text("a"), bytes))
        let statement = authenticator.registration(challenge)
        #expect(throws: WebAuthnRefusal.self, "\(name)") { try statement.register(challenge) }
        authenticator = Authenticator()
        authenticator.cose = bytes
        let key = authenticator.registration(challenge)
        #expect(throws: WebAuthnRefusal.self, "\(name)") { try key.register(challenge) }
        guard !bytes.isEmpty else { return }
        authenticator = Authenticator()
        authenticator.extensions = bytes
        let extended = try authenticator.assertion(challenge)
        #expect(throws: WebAuthnRefusal.malformed, "\(name)") { try AssertionResponse(json: extended.json) }
    }

    @Test(arguments: hostile.indices) func `hardly more is read than what tells that it must be refused`(index: Int) {
        let (name, bytes) = Self.hostile[index]
        var reader = CBORReader(bytes[...])
        _ = try? reader.item()
        #expect(reader.position <= 16, "\(name)")
    }

    @Test func `every beginning of an attestation object is refused`() throws {
        let pair = try #require(Fixture.pairs().first)
        let challenge = try #require(WebAuthnChallenge(pair.registrationChallenge))
        let object = try #require(pair.registration.response.attestationObject.flatMap(Base64URL.decode))
        for count in object.indices {
            var message = pair.registration
            message.response.attestationObject = Base64URL.encode(object[..<count])
            #expect(throws: WebAuthnRefusal.malformed) { try message.register(challenge) }
        }
    }

    @Test func `what authenticators write is read`() throws {
        #expect(try CBORReader.item(in: [0x18, 0x01]) == .unsigned(1))
        #expect(try CBORReader.item(in: [0x3B] + Self.huge) == .negative(.max))
        #expect(try CBORReader.item(in: [0x3B] + Self.huge).integer == nil)
        #expect(try CBORReader.item(in: [0x39, 0x01, 0x00]).integer == -257)
        #expect(
            try CBORReader.item(in: [0x81, 0x81, 0x81, 0x81, 0xF6])
                == .array([.array([.array([.array([.simple(22)])])])]))
        #expect(try CBORReader.item(in: [0xA2, 0x61, 0x61, 0xF5, 0x20, 0xF9, 0x3C, 0x00])["a"] == .simple(21))
        #expect(try CBORReader.item(in: [0xFA, 0, 0, 0, 0]) == .float(0))
    }
}
