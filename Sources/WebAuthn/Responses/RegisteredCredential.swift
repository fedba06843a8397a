/// A passkey that was made just now. Its id may already belong to an account: the store refuses it.
public struct RegisteredCredential: Sendable, Equatable {
    /// What the authenticator calls it.
    public let id: CredentialID
    /// What its signatures are verified with: to be stored.
    public let publicKey: PasskeyPublicKey
    /// How often it has signed, if it counts; else 0.
    public let signatureCount: UInt32
    /// The model that made it, 16 bytes; nothing proves it.
    public let aaguid: [UInt8]
    /// Whether the authenticator has asked for a fingerprint, face or PIN.
    public let userVerified: Bool
    /// Whether it may be copied to other devices.
    public let isBackupEligible: Bool
    /// Whether there is a copy on another device, or in an account of the person's.
    public let isBackedUp: Bool
    /// How the authenticator can be reached: words of WebAuthn section 5.8.4, sorted.
    public let transports: [String]

    static let knownTransports: Set = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"]
}
