import Essentials
import WebAuthn

/// Verifies what passkeys sign.
struct PasskeyVerifier: Sendable {
    let relyingParty: RelyingParty
    let audit: Audit
    /// Whether passkeys are accepted.
    let isOn: Bool

    /// What is to be noted as used, if everything is right. Returns nil if anything is wrong.
    func use(_ signed: SignedResponse, of passkey: Passkey, visitor: Visitor) throws -> FactorUse? {
        let stored = passkey.credential.publicKey
        guard let algorithm = PasskeyPublicKey.Algorithm(rawValue: stored.algorithm),
            let key = PasskeyPublicKey(algorithm: algorithm, bytes: stored.bytes),
            let verified = try verified(signed, by: key, visitor)
        else { return nil }
        return .passkey(
            PasskeyUse(
                id: passkey.id, signatureCount: verified.signatureCount,
                backup: PasskeyBackup(isEligible: verified.isBackupEligible, isBackedUp: verified.isBackedUp),
                once: signed.once))
    }

    /// As much work as for a passkey that is known.
    func refuseUnknown(_ signed: SignedResponse, visitor: Visitor) throws {
        guard let key = Self.nobodysKey else { return }
        _ = try verified(signed, by: key, visitor)
    }

    private func verified(
        _ signed: SignedResponse, by key: PasskeyPublicKey, _ visitor: Visitor
    ) throws -> VerifiedAssertion? {
        do {
            return try signed.response.verify(
                challenge: signed.challenge, relyingParty: relyingParty, publicKey: key,
                requiresUserVerification: true)
        } catch let refusal as WebAuthnRefusal {
            audit.log(refusal, visitor: visitor)
            return nil
        }
    }

    /// The generator of P-256 (NIST SP 800-186, section 3.2.1.3): a point for which everybody knows
    /// the private key, so it may stand for no account.
    private static let nobodysKey: PasskeyPublicKey? = {
        let words: [UInt64] = [
            0x6b17_d1f2_e12c_4247, 0xf8bc_e6e5_63a4_40f2, 0x7703_7d81_2deb_33a0, 0xf4a1_3945_d898_c296,
            0x4fe3_42e2_fe1a_7f9b, 0x8ee7_eb4a_7c0f_9e16, 0x2bce_3357_6b31_5ece, 0xcbb6_4068_37bf_51f5,
        ]
        let bytes = words.flatMap { word in (1...8).map { UInt8(truncatingIfNeeded: word >> (64 - 8 * UInt64($0))) } }
        return PasskeyPublicKey(algorithm: .es256, bytes: bytes)
    }()
}

/// A response that can be read, and the challenge it answers.
struct SignedResponse: Sendable {
    let response: AssertionResponse
    let challenge: WebAuthnChallenge
    let once: Once

    /// Returns nil without a challenge, and for what no browser sends.
    init?(_ text: String, _ challenge: PasskeyChallenge?) {
        guard let challenge, let bytes = WebAuthnChallenge(bytes: challenge.bytes),
            let response = try? AssertionResponse(json: Array(text.utf8))
        else { return nil }
        (self.response, self.challenge, once) = (response, bytes, challenge.once)
    }

    /// The id of the passkey, if the response can be read at all.
    static func credential(in text: String) -> [UInt8]? {
        (try? AssertionResponse(json: Array(text.utf8)))?.credentialID.bytes
    }

    /// Whether the passkey is of the account with that handle. One that is asked for by its id may
    /// leave the handle out.
    func isOf(_ userHandle: [UInt8], mayBeSilent: Bool) -> Bool {
        guard let handle = response.userHandle else { return mayBeSilent }
        return ConstantTime.equal(handle.bytes, userHandle)
    }
}
