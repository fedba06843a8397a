import Essentials
import Foundation

/// Signing in with a token that a native app got from the provider itself: for one of our apps,
/// with a nonce that was given out here, once.
struct NativeSignIn: Sendable {
    let store: any IdentityStore
    let login: IdentityLogin
    let signup: ProviderSignup
    let providers: Providers
    let limits: RateLimits
    let nonces: NativeNonces
    let grants: NativeGrants

    /// What an app brings.
    struct Form: Sendable {
        let provider: String
        let token: String
        let nonce: String
        /// What Apple gives beside the token, to be exchanged for what ends the sign-in there when
        /// the account ends.
        let authorizationCode: String?
        /// The name, which Apple tells apps only once; the address it tells beside it is not looked
        /// at.
        let name: String?
        let acceptsTerms: Bool
    }

    /// Signs in, or up when name and consent come along. Throws `ProviderFault` for what must not
    /// be believed, `Refusals` for what is missing (the token may then be brought again),
    /// `Refusal.emailTaken`, `.limited` and `.signupClosed`.
    func signIn(_ form: Form, visitor: Visitor) async throws -> SignInOutcome {
        let now = nonces.now()
        try await limits.take(.login, LimitSubject(client: visitor.client), now: now)
        guard let provider = providers.named(form.provider) else {
            throw ProviderFault.rejected("no such provider is set up for apps")
        }
        guard let nonce = nonces.nonce(form.nonce) else {
            throw ProviderFault.rejected("a nonce that is not ours, or too old")
        }
        let token = try await provider.verified(
            form.token, nonces: nonce.forms, audiences: provider.settings.nativeAudiences,
            apps: provider.settings.appIDs, now: now)
        // A few providers leave it out.
        guard token.claims.nonce != nil else { throw ProviderFault.rejected("token without a nonce") }
        let isKnown = try await store.identity(issuer: token.claims.iss, subject: token.claims.sub) != nil
        if !isKnown { try checkNew(token, form) }
        let signedIn = try await enter(form, pending(token, form, nonce), isKnown: isKnown, visitor)
        if let code = form.authorizationCode { grants.keep(code, token, provider, visitor) }
        return signedIn
    }

    private func enter(
        _ form: Form, _ pending: PendingIdentity, isKnown: Bool, _ visitor: Visitor
    ) async throws -> SignInOutcome {
        // The nonce is used up with what is written, so that a failure before can be tried again.
        if isKnown, let known = try await login.signIn(pending, visitor, remembered: true) { return known }
        let new = try await signup.create(
            pending, name: form.name ?? "", acceptsTerms: form.acceptsTerms, visitor: visitor, remembered: true)
        guard let new else { throw Refusal.emailTaken }
        return new
    }

    /// Before the token is used up: what a sign-up takes.
    private func checkNew(_ token: IDToken, _ form: Form) throws {
        guard signup.isOpen else { throw Refusal.signupClosed }
        guard token.isEmailVerified, token.email != nil else { throw ProviderFault.rejected("no verified address") }
        _ = try signup.checked(form.name ?? "", form.acceptsTerms)
    }

    private func pending(_ token: IDToken, _ form: Form, _ nonce: NativeNonce) -> PendingIdentity {
        PendingIdentity(
            id: nonce.text, provider: form.provider, issuer: token.claims.iss, subject: token.claims.sub,
            email: token.email?.typed, isEmailVerified: token.isEmailVerified, name: form.name, grant: nil,
            returnTo: nil, remember: true, provedAt: token.authenticatedAt,
            // It is remembered as used for as long as another token may come with the nonce.
            expiresAt: max(token.expiresAt, nonce.expiresAt))
    }
}
