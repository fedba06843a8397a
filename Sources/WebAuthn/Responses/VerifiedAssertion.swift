/// What a passkey said with a signature that is right.
public struct VerifiedAssertion: Sendable, Equatable {
    /// How often the passkey has signed. Where it is not greater than the stored one, and one of
    /// the two is not 0, the passkey may have been copied. Synchronised passkeys keep it at 0.
    public let signatureCount: UInt32
    /// Whether the authenticator has asked for a fingerprint, face or PIN.
    public let userVerified: Bool
    /// Whether it may be copied to other devices. Some providers of passkeys change it.
    public let isBackupEligible: Bool
    /// Whether there is a copy on another device, or in an account of the person's.
    public let isBackedUp: Bool
}
