import Essentials
import Foundation
import Logging

/// Signing in with a token that a native app got from the provider itself: for one of our apps,
/// with a nonce that was given out here, once.
struct NativeSignIn: Sendable {
    let store: any IdentityStore
    let login: IdentityLogin
    let signup: ProviderSignup
    let providers: Providers
    let limits: RateLimits
    let audit: Audit
    let key: SecretKey
    let random: Randomness
    let logger: Logger
    let now: @Sendable () -> Date

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

    /// A nonce for one sign-in, good for ten minutes.
    func nonce() -> NativeNonce {
        NativeNonce(key: key, random: random, now: now())
    }

    /// Signs in, or up when name and consent come along. Throws `ProviderFault` for what must not
    /// be believed, `Refusals` for what is missing (the token may then be brought again),
    /// `Refusal.emailTaken`, `.limited` and `.signupClosed`.
    func signIn(_ form: Form, visitor: Visitor) async throws -> SignInOutcome {
        let now = now()
        try await limits.take(.login, LimitSubject(client: visitor.client), now: now)
        guard let provider = providers.named(form.provider) else { throw ProviderFault.rejected("unknown") }
        guard let nonce = NativeNonce(presented: form.nonce, key: key, now: now) else {
            throw ProviderFault.rejected("a nonce that is not ours, or too old")
        }
        let settings = provider.settings
        let token = try await provider.verified(
            form.token, nonces: nonce.forms, audiences: settings.isApple ? settings.appIDs : [settings.clientID],
            now: now
        )
        guard token.hasNonce else { throw ProviderFault.rejected("token without a nonce") }
        let isKnown = try await store.identity(issuer: token.issuer, subject: token.subject) != nil
        if !isKnown { try checkNew(token, form) }
        let signedIn = try await enter(form, pending(token, form, nonce), isKnown: isKnown, visitor)
        keepGrant(form, token, provider, visitor)
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

    /// The token alone says who somebody is: the code is exchanged after the sign-in, and nobody
    /// waits for it. One that is not taken is logged.
    private func keepGrant(_ form: Form, _ token: IDToken, _ provider: Provider, _ visitor: Visitor) {
        guard provider.settings.isApple, let code = form.authorizationCode else { return }
        // Nor does the request's deadline hold for it.
        Task.detached {
            do {
                guard let grant = try await provider.grant(code, for: token, now: now()) else { return }
                let isKept = try await store.keepRefreshToken(
                    grant.sealed(key, issuer: token.issuer, subject: token.subject),
                    issuer: token.issuer, subject: token.subject)
                // The account has ended meanwhile.
                if !isKept { try await provider.revoke(grant, now: now()) }
            } catch let fault as ProviderFault {
                audit.log(fault, provider: form.provider, visitor: visitor)
            } catch {
                logger.warning("provider token not kept", metadata: ["error": "\(error)"])
            }
        }
    }

    private func pending(_ token: IDToken, _ form: Form, _ nonce: NativeNonce) -> PendingIdentity {
        PendingIdentity(
            id: nonce.text, provider: form.provider, issuer: token.issuer, subject: token.subject,
            email: token.email?.typed, isEmailVerified: token.isEmailVerified, name: form.name, grant: nil,
            returnTo: nil, remember: true, expiresAt: token.expiresAt
        )
    }
}
