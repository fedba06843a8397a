/// Whether the authenticator asks for a fingerprint, face or PIN (WebAuthn section 5.8.6).
public enum UserVerification: String, Sendable, Encodable {
    case required
    case preferred
    case discouraged
}
