/// What a passkey said with a signature that is right.
package struct VerifiedAssertion: Sendable, Equatable {
    /// If this or the stored one is not 0 and this is not greater, the passkey may have been
    /// copied. Synchronised passkeys keep it at 0.
    package let signatureCount: UInt32
    package let userVerified: Bool
    /// May differ from the stored one: some providers of passkeys change it.
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
}
