import Bytes
import Crypto
import TestSupport
import Testing

@testable import WebAuthn

/// What is refused when a passkey signs in, each with its reason.
@Suite struct AssertionRefusalTests {
    private let challenge = WebAuthnChallenge.random(.system)

    private func key(_ authenticator: Authenticator) throws -> PasskeyPublicKey {
        try #require(
            PasskeyPublicKey(algorithm: .es256, bytes: [UInt8](authenticator.key.publicKey.rawRepresentation)))
    }

    @Test func `what is right tells counter and backup, whatever they are`() throws {
        for (flags, isEligible, isBackedUp) in [(0x1D, true, true), (0x0D, true, false), (0x05, false, false)] {
            var authenticator = Authenticator()
            (authenticator.flags, authenticator.count) = (UInt8(flags), 0xFFFF_FFFE)
            let message = try authenticator.assertion(challenge)
            let said = try message.signIn(challenge, by: key(authenticator))
            #expect(
                said
                    == VerifiedAssertion(
                        signatureCount: 0xFFFF_FFFE, userVerified: true, isBackupEligible: isEligible,
                        isBackedUp: isBackedUp))
            let response = try AssertionResponse(json: message.json)
            #expect(response.credentialID.bytes == authenticator.id)
            #expect(response.userHandle?.bytes == Authenticator().handle)
        }
    }

    private typealias Change = @Sendable (inout Authenticator) -> Void

    private static let changes: [(WebAuthnRefusal, Change)] = [
        (.wrongType, { $0.type = "webauthn.create" }),
        (.wrongOrigin, { $0.origin = "https://example.com" }),
        (.crossOrigin, { $0.more = #","crossOrigin":true,"topOrigin":"https://login.example.com""# }),
        (.crossOrigin, { $0.more = #","topOrigin":"https://evil.example""# }),
        (.wrongRelyingParty, { $0.relyingParty = "example.com" }),
        (.userNotPresent, { $0.flags = 0x1C }),
        (.userNotVerified, { $0.flags = 0x19 }),
        (.wrongBackupFlags, { $0.flags = 0x15 }),
        (.malformed, { $0.trailing = [0xA0] }),
        (.malformed, { $0.extensions = CBOR.map() + [0] }),
        // A new passkey follows, or is said to.
        (.malformed, { $0.flags = 0x5D }),
        (
            .malformed,
            {
                ($0.flags, $0.trailing) = (
                    0x5D, [UInt8](repeating: 1, count: 16) + [0, 16] + $0.id.prefix(16) + $0.ownKey
                )
            }
        ),
    ]

    @Test(arguments: changes.indices) func `what is wrong is refused for its reason`(index: Int) throws {
        let (reason, change) = Self.changes[index]
        var authenticator = Authenticator()
        change(&authenticator)
        let message = try authenticator.assertion(challenge)
        #expect(throws: reason) { try message.signIn(challenge, by: key(authenticator)) }
    }

    @Test func `another challenge and another passkey are refused`() throws {
        let authenticator = Authenticator()
        let message = try authenticator.assertion(challenge)
        #expect(throws: WebAuthnRefusal.wrongChallenge) { try message.signIn(.random(.system), by: key(authenticator)) }
        #expect(throws: WebAuthnRefusal.wrongSignature) { try message.signIn(challenge, by: key(Authenticator())) }
    }

    @Test func `outputs of extensions are taken, those that libfido2 knows among them`() throws {
        for name in ["hmac-secret", "credBlob", "unknown"] {
            var authenticator = Authenticator()
            authenticator.extensions = CBOR.map((CBOR.text(name), CBOR.bytes([UInt8](repeating: 3, count: 48))))
            #expect(try authenticator.assertion(challenge).signIn(challenge, by: key(authenticator)).userVerified)
        }
    }

    @Test func `a user handle is 64 bytes or missing`() throws {
        let authenticator = Authenticator()
        var message = try authenticator.assertion(challenge)
        message.response.userHandle = nil
        #expect(try AssertionResponse(json: message.json).userHandle == nil)
        for count in [0, 1, 63, 65] {
            message.response.userHandle = Base64URL.encode([UInt8](repeating: 1, count: count))
            #expect(throws: WebAuthnRefusal.malformed) { try AssertionResponse(json: message.json) }
        }
    }

    @Test func `an answer of the other ceremony and an empty signature are refused`() throws {
        let authenticator = Authenticator()
        var message = try authenticator.assertion(challenge)
        #expect(throws: WebAuthnRefusal.malformed) { try RegistrationResponse(json: message.json) }
        #expect(throws: WebAuthnRefusal.malformed) {
            try AssertionResponse(json: authenticator.registration(challenge).json)
        }
        message.response.signature = ""
        #expect(throws: WebAuthnRefusal.malformed) { try AssertionResponse(json: message.json) }
        message.response.signature = nil
        #expect(throws: WebAuthnRefusal.malformed) { try AssertionResponse(json: message.json) }
    }
}
