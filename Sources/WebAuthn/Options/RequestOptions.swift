import Bytes

/// What a browser needs to sign in with a passkey: `PublicKeyCredentialRequestOptionsJSON`
/// (WebAuthn section 5.1.10).
public struct RequestOptions: Sendable {
    private let members: Members

    /// Without `allowed` passkeys the authenticator offers all it has for the site: before somebody
    /// is known, a list would tell whose they are.
    public init(
        challenge: WebAuthnChallenge, relyingParty: RelyingParty, allowed: [CredentialID] = [],
        userVerification: UserVerification = .required
    ) {
        members = Members(
            challenge: Base64URL.encode(challenge.bytes), rpId: relyingParty.id,
            allowCredentials: allowed.map(CredentialDescriptor.init), userVerification: userVerification)
    }

    /// For `PublicKeyCredential.parseRequestOptionsFromJSON`.
    public func json() throws -> [UInt8] {
        try CompactJSON.encode(members)
    }

    private struct Members: Encodable {
        let challenge: String
        let timeout = CreationOptions.timeout
        let rpId: String
        let allowCredentials: [CredentialDescriptor]
        let userVerification: UserVerification
    }
}
