/// How a token is signed (RFC 7518 section 3.1); raw values stand in tokens and settings.
package enum SigningAlgorithm: String, Sendable, CaseIterable {
    /// P-256 and SHA-256.
    case es256 = "ES256"
    /// RSA of 2,048 bits (PKCS #1 version 1.5) and SHA-256: what clients of OpenID Connect expect.
    case rs256 = "RS256"
}
