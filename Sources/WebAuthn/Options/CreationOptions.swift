import Bytes

/// What a browser needs to make a passkey: `PublicKeyCredentialCreationOptionsJSON` (WebAuthn
/// section 5.1.9). The passkey is discoverable, and the person is verified; no attestation is asked
/// for.
public struct CreationOptions: Sendable {
    /// How long browsers wait, in milliseconds.
    static let timeout = 300_000

    private let challenge: WebAuthnChallenge
    private let relyingParty: RelyingParty
    private let user: UserEntity
    private let excluded: [CredentialID]

    /// `userName` is what the person signs in with, `displayName` what pages call the person; the
    /// authenticator shows both. One that has an `excluded` passkey makes no other.
    public init(
        challenge: WebAuthnChallenge, relyingParty: RelyingParty, userHandle: UserHandle, userName: String,
        displayName: String, excluded: [CredentialID]
    ) {
        (self.challenge, self.relyingParty, self.excluded) = (challenge, relyingParty, excluded)
        user = UserEntity(id: userHandle.base64URL, name: userName, displayName: displayName)
    }

    /// For `PublicKeyCredential.parseCreationOptionsFromJSON`.
    public func json() throws -> [UInt8] {
        try CompactJSON.encode(
            Members(
                rp: Members.Party(id: relyingParty.id, name: relyingParty.name), user: user,
                challenge: Base64URL.encode(challenge.bytes),
                excludeCredentials: excluded.map(CredentialDescriptor.init)))
    }

    private struct UserEntity: Encodable {
        let id: String
        let name: String
        let displayName: String
    }

    private struct Members: Encodable {
        struct Party: Encodable {
            let id: String
            let name: String
        }

        struct Parameter: Encodable {
            let type = "public-key"
            let alg: Int
        }

        struct Selection: Encodable {
            let residentKey = "required"
            let requireResidentKey = true
            let userVerification = UserVerification.required
        }

        let rp: Party
        let user: UserEntity
        let challenge: String
        // The preferred one first.
        let pubKeyCredParams = [PasskeyPublicKey.Algorithm.eddsa, .es256, .rs256].map { Parameter(alg: $0.rawValue) }
        let timeout = CreationOptions.timeout
        let excludeCredentials: [CredentialDescriptor]
        let authenticatorSelection = Selection()
        let attestation = "none"
    }
}
