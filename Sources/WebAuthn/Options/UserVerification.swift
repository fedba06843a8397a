/// Whether the authenticator asks for a fingerprint, face or PIN (WebAuthn section 5.8.6).
public enum UserVerification: String, Sendable, Encodable {
    /// It asks, or does not sign.
    case required
    /// It asks if it can.
    case preferred
    /// It does not ask if it need not.
    case discouraged
}
