/// What Sign in with Apple, or another OpenID provider, hands to an app.
public struct ProviderCredential: Sendable {
    /// `apple`, or the id of another provider of `Site`.
    public let provider: String
    let identityToken: Secret
    let nonce: Secret
    let authorizationCode: Secret?
    /// The name, where the provider tells it.
    public let firstName: String?
    /// The family name, where there is one and the provider tells it.
    public let lastName: String?

    /// `nonce`: from `providerNonce`; the provider was given it as it is, or its SHA-256 in hex.
    /// Apple tells the names once: keep them until the sign-in has worked.
    public init(
        provider: String = "apple", identityToken: Secret, nonce: Secret, authorizationCode: Secret? = nil,
        firstName: String? = nil, lastName: String? = nil
    ) {
        (self.provider, self.identityToken, self.nonce) = (provider, identityToken, nonce)
        (self.authorizationCode, self.firstName, self.lastName) = (authorizationCode, firstName, lastName)
    }

    /// The same with the name that somebody has typed.
    func named(_ name: String) -> ProviderCredential {
        ProviderCredential(
            provider: provider, identityToken: identityToken, nonce: nonce, authorizationCode: authorizationCode,
            firstName: name)
    }
}
