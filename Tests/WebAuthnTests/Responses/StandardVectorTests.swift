import Bytes
import TestSupport
import Testing

@testable import WebAuthn

/// The test vectors of the standard.
@Suite struct StandardVectorTests {
    private static let unsupported = ["packed-es384", "packed-es512", "packed-ed448"]
    private static let framed = ["none-es256-crossOrigin", "none-es256-topOrigin"]

    private let standard: Fixture.Standard
    private let party: RelyingParty

    init() throws {
        standard = try Fixture.standard()
        party = RelyingParty(id: standard.id, origin: standard.origin, name: "Example")
    }

    @Test func `passkeys of the standard are registered and sign in`() throws {
        let good = standard.vectors.filter { !(Self.unsupported + Self.framed).contains($0.name) }
        #expect(good.count == 10)
        for vector in good {
            let challenge = try challenge(vector.registration.challenge)
            let passkey = try registration(vector).register(challenge, for: party, verified: false)
            #expect(passkey.id.bytes == bytes(vector.registration.credential_id), "\(vector.name)")
            #expect(passkey.aaguid == bytes(vector.registration.aaguid), "\(vector.name)")
            let said = try assertion(vector).signIn(
                self.challenge(vector.authentication.challenge), by: passkey.publicKey, for: party, verified: false)
            #expect(said.isBackupEligible == passkey.isBackupEligible && said.signatureCount == 0, "\(vector.name)")
        }
    }

    @Test func `without user verification they are refused where it is asked for`() throws {
        for vector in standard.vectors where !(Self.unsupported + Self.framed).contains(vector.name) {
            let key = try registration(vector).register(
                challenge(vector.registration.challenge), for: party, verified: false
            ).publicKey
            let flags = bytes(vector.authentication.authenticatorData)[32]
            let challenge = try challenge(vector.authentication.challenge)
            if flags & 0x04 != 0 {
                #expect(try assertion(vector).signIn(challenge, by: key, for: party).userVerified)
            } else {
                #expect(throws: WebAuthnRefusal.userNotVerified) {
                    try assertion(vector).signIn(challenge, by: key, for: party)
                }
            }
        }
    }

    @Test(arguments: unsupported) func `other algorithms are refused`(name: String) throws {
        let vector = try #require(standard.vectors.first { $0.name == name })
        #expect(throws: WebAuthnRefusal.unsupportedAlgorithm) {
            try RegistrationResponse(json: registration(vector).json)
        }
    }

    @Test(arguments: framed) func `responses from frames of other sites are refused`(name: String) throws {
        let vector = try #require(standard.vectors.first { $0.name == name })
        #expect(throws: WebAuthnRefusal.crossOrigin) {
            try registration(vector).register(challenge(vector.registration.challenge), for: party, verified: false)
        }
        let key = try #require(PasskeyPublicKey(algorithm: .eddsa, bytes: [UInt8](repeating: 1, count: 32)))
        #expect(throws: WebAuthnRefusal.crossOrigin) {
            try assertion(vector).signIn(
                challenge(vector.authentication.challenge), by: key, for: party, verified: false)
        }
    }

    private func registration(_ vector: Fixture.Vector) -> Message {
        message(
            vector,
            Message.Response(
                clientDataJSON: base64(vector.registration.clientDataJSON),
                attestationObject: base64(vector.registration.attestationObject)))
    }

    private func assertion(_ vector: Fixture.Vector) -> Message {
        message(
            vector,
            Message.Response(
                clientDataJSON: base64(vector.authentication.clientDataJSON),
                authenticatorData: base64(vector.authentication.authenticatorData),
                signature: base64(vector.authentication.signature)))
    }

    private func message(_ vector: Fixture.Vector, _ response: Message.Response) -> Message {
        let id = base64(vector.registration.credential_id)
        return Message(id: id, rawId: id, response: response)
    }

    private func challenge(_ hex: String) throws -> WebAuthnChallenge {
        try #require(WebAuthnChallenge(bytes: bytes(hex)))
    }

    private func base64(_ hex: String) -> String { Base64URL.encode(bytes(hex)) }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap { Hex.byte(digits[$0..<$0 + 2]) }
    }
}
