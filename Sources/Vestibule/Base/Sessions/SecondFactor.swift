/// What proves a person besides the password, the strongest first; raw values are stored, and name
/// pages and sentences.
package enum SecondFactor: String, Sendable, CaseIterable {
    case passkey
    /// A code of an authenticator app (TOTP, RFC 6238).
    case totp
    case recoveryCode = "recovery_code"
}
