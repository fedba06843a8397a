/// What an assertion says (RFC 7519, OpenID Connect Core sections 2 and 5.1).
struct AssertionClaims: Encodable, Sendable, Equatable {  // Parts: those of the token.
    let iss, aud, sub, jti: String
    /// Seconds since 1970.
    let iat, exp: Int
    let groups, amr: [String]
    // Of a person only.
    var sid, email, name: String?
    var isEmailVerified: Bool?
    /// Seconds since 1970: when the person last proved who they are.
    var authenticatedAt: Int?

    enum CodingKeys: String, CodingKey {
        case iss, aud, sub, jti, iat, exp, groups, amr, sid, email, name
        case isEmailVerified = "email_verified"
        case authenticatedAt = "auth_time"
    }
}

extension Session.Proof {
    /// Authentication method references (RFC 8176), which has no word for a provider: a password is
    /// `pwd`, a passkey `pop` (possession of a key), any other code `otp`, two factors `mfa`.
    var methods: [String] {
        let first =
            switch by {
            case .password: "pwd"
            case .provider: "fed"
            case .passkey: "pop"
            }
        let second: [String] =
            switch secondFactor {
            case nil: []
            case .passkey: by == .passkey ? ["mfa"] : ["pop", "mfa"]
            case .some: ["otp", "mfa"]
            }
        return [first] + second
    }
}
