import Bytes

/// What a browser sends when a passkey has signed: `AuthenticationResponseJSON` (WebAuthn section
/// 5.1.8), at most 64 KiB.
public struct AssertionResponse: Sendable {
    private let response: ResponseJSON
    private let data: AuthenticatorData
    private let signature: [UInt8]
    /// Whose passkey it is, as the authenticator remembers. Security keys that are a second factor
    /// only do not.
    public let userHandle: UserHandle?

    /// Reads the JSON that `PublicKeyCredential.toJSON()` gives.
    public init(json: [UInt8]) throws(WebAuthnRefusal) {
        response = try ResponseJSON(json)
        data = try AuthenticatorData(response.members.bytes("authenticatorData"))
        signature = try response.members.bytes("signature")
        // Only what makes a passkey is followed by one.
        guard data.attested == nil, !signature.isEmpty else { throw .malformed }
        userHandle = try Self.userHandle(in: response.members)
    }

    /// Which passkey has signed, as the browser says.
    public var credentialID: CredentialID { response.id }

    /// What the passkey says, if everything is right (WebAuthn section 7.2). The caller has made
    /// sure that the key belongs to `credentialID` and its account to `userHandle`.
    ///
    /// Throws `WebAuthnRefusal`, or `FidoLibrary.Missing`.
    public func verify(
        challenge: WebAuthnChallenge, relyingParty: RelyingParty, publicKey: PasskeyPublicKey,
        requiresUserVerification: Bool
    ) throws -> VerifiedAssertion {
        try response.clientData.check(.get, challenge: challenge, relyingParty: relyingParty)
        try data.check(
            for: relyingParty, requiresUserPresence: true, requiresUserVerification: requiresUserVerification)
        let signed = SignedData(data: data, clientDataHash: response.clientData.hash, signature: signature)
        try signed.verify(by: publicKey, relyingParty: relyingParty, requiresUserVerification: requiresUserVerification)
        return VerifiedAssertion(
            signatureCount: data.signatureCount, userVerified: data.isUserVerified,
            isBackupEligible: data.isBackupEligible, isBackedUp: data.isBackedUp)
    }

    private static func userHandle(in members: [String: JSONValue]) throws(WebAuthnRefusal) -> UserHandle? {
        switch members["userHandle"] {
        case nil, .null: return nil
        default:
            guard let handle = UserHandle(bytes: try members.bytes("userHandle")) else { throw .malformed }
            return handle
        }
    }
}
