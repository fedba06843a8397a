import CFido2

/// What an authenticator has signed, and the signature (WebAuthn section 6.3.3).
struct SignedData {
    let data: AuthenticatorData
    /// SHA-256 of the client data.
    let clientDataHash: [UInt8]
    let signature: [UInt8]

    /// Throws `WebAuthnRefusal.wrongSignature` unless libfido2 finds everything right: RP ID, flags
    /// and signature.
    func verify(by key: PasskeyPublicKey, relyingParty: RelyingParty, requiresUserVerification: Bool) throws {
        let isRight =
            if RSAKey.isOwn(key) {
                try RSAKey.isSigned(data.bytes + clientDataHash, signature: signature, by: key)
            } else {
                try isSigned(by: key, relyingParty, requiresUserVerification)
            }
        guard isRight else { throw WebAuthnRefusal.wrongSignature }
    }

    private func isSigned(
        by key: PasskeyPublicKey, _ relyingParty: RelyingParty, _ requiresUserVerification: Bool
    ) throws -> Bool {
        try FidoLibrary.load()
        let algorithm = Int32(key.algorithm.rawValue)
        guard let assertion = vestibule_fido_assert_make() else { throw FidoLibrary.Missing() }
        defer { vestibule_fido_assert_free(assertion) }
        guard let libraryKey = vestibule_fido_key_make(algorithm, key.bytes, key.bytes.count) else {
            throw WebAuthnRefusal.wrongKey
        }
        defer { vestibule_fido_key_free(algorithm, libraryKey) }
        return fill(assertion, relyingParty)
            && vestibule_fido_assert_demand(assertion, true, requiresUserVerification) == 0
            && vestibule_fido_assert_verify(assertion, algorithm, libraryKey) == 0
    }

    private func fill(_ assertion: OpaquePointer, _ relyingParty: RelyingParty) -> Bool {
        vestibule_fido_assert_set_relying_party(assertion, relyingParty.id) == 0
            && vestibule_fido_assert_set_client_data_hash(assertion, clientDataHash, clientDataHash.count) == 0
            && vestibule_fido_assert_set_data(assertion, data.bytes, data.bytes.count) == 0
            && vestibule_fido_assert_expect(
                assertion, data.hasExtension("hmac-secret"), data.hasExtension("credBlob")) == 0
            && vestibule_fido_assert_set_signature(assertion, signature, signature.count) == 0
    }
}
