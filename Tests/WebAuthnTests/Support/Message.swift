import Bytes
import TestSupport

@testable import WebAuthn

extension Authenticator {
    func registration(_ challenge: WebAuthnChallenge) -> Message { registration(challenge.bytes) }

    func registration(_ challenge: WebAuthnChallenge, object: [UInt8]) -> Message {
        registration(challenge.bytes, object: object)
    }

    func assertion(_ challenge: WebAuthnChallenge) throws -> Message { try assertion(challenge.bytes) }
}

extension Message {
    /// Throws what the package throws.
    func register(
        _ challenge: WebAuthnChallenge, for party: RelyingParty = .example, verified: Bool = true,
        isConditional: Bool = false
    ) throws -> RegisteredCredential {
        try RegistrationResponse(json: json).verify(
            challenge: challenge, relyingParty: party, requiresUserVerification: verified, isConditional: isConditional)
    }

    func signIn(
        _ challenge: WebAuthnChallenge, by key: PasskeyPublicKey, for party: RelyingParty = .example,
        verified: Bool = true
    ) throws -> VerifiedAssertion {
        try AssertionResponse(json: json).verify(
            challenge: challenge, relyingParty: party, publicKey: key, requiresUserVerification: verified)
    }
}

extension RelyingParty {
    static let example = RelyingParty(id: "login.example.com", origin: "https://login.example.com", name: "Example")
}

extension WebAuthnChallenge {
    /// From base64url.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text) else { return nil }
        self.init(bytes: bytes)
    }
}
