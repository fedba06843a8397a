/// Why a response of an authenticator is refused: for the log, never for the visitor.
public enum WebAuthnRefusal: String, Error, Sendable, CaseIterable {
    /// More than 64 KiB of JSON.
    case tooLarge
    /// Not the JSON or the CBOR of WebAuthn.
    case malformed
    /// Made by the other ceremony.
    case wrongType
    /// The answer to another question, or to one that was answered.
    case wrongChallenge
    /// Made on another site.
    case wrongOrigin
    /// Made in a frame of another site.
    case crossOrigin
    /// Made for another RP ID.
    case wrongRelyingParty
    /// Nobody touched the authenticator.
    case userNotPresent
    /// No fingerprint, face or PIN was asked for.
    case userNotVerified
    /// Backed up, yet not eligible for it.
    case wrongBackupFlags
    /// The id beside the response is not the one inside.
    case wrongCredential
    /// A key of another algorithm than ES256, EdDSA (Ed25519) and RS256.
    case unsupportedAlgorithm
    /// Not a key of its algorithm: its point is not on the curve, or RSA of a size that is not
    /// accepted.
    case wrongKey
    /// Not by the key, or not over this response.
    case wrongSignature
}
