/// A passkey that was made just now. Its id may already belong to an account: the store refuses it.
package struct RegisteredCredential: Sendable, Equatable {
    package let id: CredentialID
    package let publicKey: PasskeyPublicKey
    package let signatureCount: UInt32
    /// The model that made it, 16 bytes; nothing proves it.
    package let aaguid: [UInt8]
    package let userVerified: Bool
    /// Whether it may be copied to other devices.
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
    /// How the authenticator can be reached: words of WebAuthn section 5.8.4, sorted.
    package let transports: [String]

    static let knownTransports: Set = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"]
}
