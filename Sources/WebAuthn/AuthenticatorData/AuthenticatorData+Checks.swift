import Bytes
import Crypto

extension AuthenticatorData {
    /// The checks that both ceremonies share (WebAuthn sections 7.1 and 7.2). libfido2 does some of
    /// them again, but tells only that one has failed.
    func check(
        for relyingParty: RelyingParty, requiresUserPresence: Bool, requiresUserVerification: Bool
    ) throws(WebAuthnRefusal) {
        let hash = SHA256.hash(data: Array(relyingParty.id.utf8))
        guard ConstantTime.equal(relyingPartyHash, Array(hash)) else { throw .wrongRelyingParty }
        guard isUserPresent || !requiresUserPresence else { throw .userNotPresent }
        guard isUserVerified || !requiresUserVerification else { throw .userNotVerified }
        guard isBackupEligible || !isBackedUp else { throw .wrongBackupFlags }
    }
}
