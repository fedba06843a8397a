/// What a passkey said with a signature that is right.
public struct VerifiedAssertion: Sendable, Equatable {
    /// If this or the stored one is not 0 and this is not greater, the passkey may have been
    /// copied. Synchronised passkeys keep it at 0.
    public let signatureCount: UInt32
    /// Whether the authenticator has asked for a fingerprint, face or PIN.
    public let userVerified: Bool
    /// May differ from the stored one: some providers of passkeys change it.
    public let isBackupEligible: Bool
    /// Whether there is a copy on another device, or in an account of the person's.
    public let isBackedUp: Bool
}
