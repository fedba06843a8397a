import Bytes

/// What a browser sends after it has made a passkey: `RegistrationResponseJSON` (WebAuthn section
/// 5.1.8), at most 64 KiB.
public struct RegistrationResponse: Sendable {
    private let response: ResponseJSON
    private let data: AuthenticatorData
    private let attested: AuthenticatorData.Attested
    private let key: NewKey

    /// Reads the JSON that `PublicKeyCredential.toJSON()` gives.
    public init(json: [UInt8]) throws(WebAuthnRefusal) {
        response = try ResponseJSON(json)
        let object = try CBORReader.item(in: response.members.bytes("attestationObject"))
        guard case .text = object["fmt"], case .map = object["attStmt"], let bytes = object["authData"]?.bytes else {
            throw .malformed
        }
        data = try AuthenticatorData(bytes)
        guard let attested = data.attested else { throw .malformed }
        self.attested = attested
        key = try NewKey(attested)
    }

    /// The passkey, if everything is right (WebAuthn section 7.1). The attestation statement is
    /// ignored. With `isConditional` nobody needs to have been asked: the browser made the passkey
    /// after a password was given.
    ///
    /// Throws `WebAuthnRefusal`, or `FidoLibrary.Missing`.
    public func verify(
        challenge: WebAuthnChallenge, relyingParty: RelyingParty, requiresUserVerification: Bool,
        isConditional: Bool = false
    ) throws -> RegisteredCredential {
        try response.clientData.check(.create, challenge: challenge, relyingParty: relyingParty)
        try data.check(
            for: relyingParty, requiresUserPresence: !isConditional, requiresUserVerification: requiresUserVerification)
        guard response.id.bytes == attested.id else { throw WebAuthnRefusal.wrongCredential }
        return RegisteredCredential(
            id: response.id,
            publicKey: try key.read(in: data.bytesWithoutExtensions),
            signatureCount: data.signatureCount,
            aaguid: attested.aaguid,
            userVerified: data.isUserVerified,
            isBackupEligible: data.isBackupEligible,
            isBackedUp: data.isBackedUp,
            transports: transports
        )
    }

    /// Unknown words are left out: later versions of the standard will have more.
    private var transports: [String] {
        guard case .array(let words) = response.members["transports"] else { return [] }
        let known = words.compactMap { word in
            if case .string(let word) = word {
                RegisteredCredential.knownTransports.contains(word) ? word : nil
            } else {
                nil
            }
        }
        return Set(known).sorted()
    }
}
