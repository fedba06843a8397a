/// What a browser takes to a provider to sign in there.
struct AuthorizationRequest: Sendable {
    /// Comes back with the answer (RFC 6749 section 10.12).
    let state: String
    /// Comes back inside the token.
    let nonce: String
    /// S256 of what only the server can show for the code (RFC 7636).
    let challenge: String
    /// Whether the provider is to ask its person to sign in anew (OpenID Connect Core section
    /// 3.1.2.1).
    let wantsFreshSignIn: Bool
}
