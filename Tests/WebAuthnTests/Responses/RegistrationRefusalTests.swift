import Bytes
import Crypto
import TestSupport
import Testing

@testable import WebAuthn

/// What is refused when a passkey is made, each with its reason.
@Suite struct RegistrationRefusalTests {
    private let challenge = WebAuthnChallenge.random(.system)

    @Test func `what is right is a passkey`() throws {
        var authenticator = Authenticator()
        authenticator.transports = ["usb", "internal", "smoke signals", "usb"]
        let passkey = try authenticator.registration(challenge).register(challenge)
        #expect(passkey.id.bytes == authenticator.id && passkey.signatureCount == 7)
        #expect(passkey.publicKey.algorithm == .es256)
        #expect(passkey.publicKey.bytes == [UInt8](authenticator.key.publicKey.rawRepresentation))
        #expect(passkey.userVerified && passkey.isBackupEligible && passkey.isBackedUp)
        #expect(passkey.aaguid == [UInt8](repeating: 0xAA, count: 16) && passkey.transports == ["internal", "usb"])
    }

    private typealias Change = @Sendable (inout Authenticator) -> Void

    private static let changes: [(WebAuthnRefusal, Change)] = [
        (.wrongType, { $0.type = "webauthn.get" }),
        (.wrongOrigin, { $0.origin = "https://login.example.com:444" }),
        (.wrongOrigin, { $0.origin = "https://login.example.com/" }),
        (.wrongOrigin, { $0.origin = "http://login.example.com" }),
        (.wrongOrigin, { $0.origin = "https://evil.login.example.com" }),
        (.crossOrigin, { $0.more = #","crossOrigin":true"# }),
        (.crossOrigin, { $0.more = #","topOrigin":"https://evil.example""# }),
        (.malformed, { $0.more = #","crossOrigin":"true""# }),
        (.malformed, { $0.more = #","topOrigin":null"# }),
        (.malformed, { $0.more = #","origin":"https://login.example.com""# }),
        (.malformed, { $0.more = "," }),
        (.wrongRelyingParty, { $0.relyingParty = "example.com" }),
        (.userNotPresent, { $0.flags = 0x04 }),
        (.userNotVerified, { $0.flags = 0x01 }),
        (.wrongBackupFlags, { $0.flags = 0x15 }),
        (.malformed, { $0.id = [UInt8](repeating: 1, count: 15) }),
        (.malformed, { $0.id = [UInt8](repeating: 1, count: 1_024) }),
        (.malformed, { $0.trailing = [0] }),
        (.malformed, { $0.extensions = CBOR.text("no map") }),
        (.malformed, { $0.statement = CBOR.bytes([]) }),
    ]

    @Test(arguments: changes.indices) func `what is wrong is refused for its reason`(index: Int) throws {
        let (reason, change) = Self.changes[index]
        var authenticator = Authenticator()
        change(&authenticator)
        let message = authenticator.registration(challenge)
        #expect(throws: reason) { try message.register(challenge) }
    }

    @Test func `another challenge is refused`() throws {
        let message = Authenticator().registration(challenge)
        #expect(throws: WebAuthnRefusal.wrongChallenge) { try message.register(.random(.system)) }
    }

    @Test func `only a conditional registration does without presence`() throws {
        var authenticator = Authenticator()
        authenticator.flags = 0x04
        let message = authenticator.registration(challenge)
        #expect(try message.register(challenge, isConditional: true).userVerified)
        authenticator.flags = 0
        let unverified = authenticator.registration(challenge)
        #expect(throws: WebAuthnRefusal.userNotVerified) { try unverified.register(challenge, isConditional: true) }
        #expect(try !unverified.register(challenge, verified: false, isConditional: true).userVerified)
    }

    @Test func `a frame of the site itself and a mark of UTF-8 are no reason`() throws {
        var authenticator = Authenticator()
        authenticator.more = #","topOrigin":"https://login.example.com","extra":{"a":[1]}"#
        var message = authenticator.registration(challenge)
        _ = try message.register(challenge)
        let client = try #require(Base64URL.decode(message.response.clientDataJSON))
        message.response.clientDataJSON = Base64URL.encode([0xEF, 0xBB, 0xBF] + client)
        _ = try message.register(challenge)
    }

    @Test func `ids of 16 and of 1,023 bytes and outputs of extensions are taken`() throws {
        for count in [16, 1_023] {
            var authenticator = Authenticator()
            authenticator.id = [UInt8](repeating: 1, count: count)
            authenticator.extensions = CBOR.map((CBOR.text("credProtect"), [2]), (CBOR.text("new"), CBOR.map()))
            #expect(try authenticator.registration(challenge).register(challenge).id.bytes.count == count)
        }
    }

    @Test func `an answer that is no JSON of its kind is refused`() throws {
        var message = Authenticator().registration(challenge)
        let json = try message.json
        #expect(throws: WebAuthnRefusal.tooLarge) {
            try RegistrationResponse(json: json + [UInt8](repeating: 0x20, count: 65_537 - json.count))
        }
        _ = try RegistrationResponse(json: json + [UInt8](repeating: 0x20, count: 65_536 - json.count))
        for text in ["", "[]", "{}", "null", #"{"id":"a","id":"a"}"#] {
            #expect(throws: WebAuthnRefusal.malformed) { try RegistrationResponse(json: Array(text.utf8)) }
        }
        message.type = "password"
        #expect(throws: WebAuthnRefusal.malformed) { try message.register(challenge) }
        message.type = "public-key"
        for id in [message.id + "=", "+" + message.id.dropFirst(), ""] {
            var other = message
            (other.id, other.rawId) = (id, id)
            #expect(throws: WebAuthnRefusal.malformed) { try other.register(challenge) }
        }
    }
}
