import Crypto
import Essentials
import Foundation

/// The round trip of a browser to a provider: where it leads, and whom the answer vouches for.
struct ProviderAuthorization: Sendable {
    let store: any IdentityStore
    let limits: RateLimits
    let returnTo: ReturnTo
    /// How old, in seconds, a sign-in may be for the client that a granted `return_to` leads back
    /// to; nil means any age.
    let clientMaxAge: @Sendable (String) -> Int?
    let audit: Audit

    /// Begins: where to send the browser, and what it must carry. Throws `ProviderFault` and
    /// `Refusal.limited`.
    func start(
        _ provider: Provider, returnTo wish: String?, purpose: AuthFlow.Purpose, remember: Bool = false,
        page: AuthFlow.Page? = nil, visitor: Visitor
    ) async throws -> (url: String, flow: AuthFlow) {
        try await limits.take(.provider, LimitSubject(client: visitor.client), now: audit.now())
        let (now, wish) = (audit.now(), returnTo.granted(wish))
        let flow = AuthFlow(
            provider: provider.settings.name, state: secret(), nonce: secret(), verifier: secret(),
            returnTo: wish, purpose: purpose, remember: remember, page: page,
            clientMaxAge: wish.flatMap(clientMaxAge), expiresAt: now.addingTimeInterval(AuthFlow.lifetime))
        let url = try await provider.authorizationURL(
            state: flow.state, nonce: flow.nonce,
            challenge: Base64URL.encode(SHA256.hash(data: Array(flow.verifier.utf8))),
            maxAge: flow.maxAge, now: now)
        return (url, flow)
    }

    /// Whom the provider vouches for. Throws `ProviderFault` for whatever must not be believed.
    func vouched(
        _ flow: AuthFlow, _ answer: ProviderAnswer, _ provider: Provider, visitor: Visitor
    ) async throws -> PendingIdentity {
        let now = audit.now()
        guard ConstantTime.equal(Array(flow.state.utf8), Array(answer.state.utf8)) else {
            throw ProviderFault.rejected("an answer to somebody else")
        }
        guard try await store.use(flow.once) else {
            throw ProviderFault.rejected("answered before")
        }
        try await provider.check(issuer: answer.issuer, now: now)
        guard let code = answer.code, answer.error == nil else {
            throw ProviderFault.rejected("the provider said no\(ProviderFault.code(answer.error))")
        }
        let tokens = try await provider.exchange(code, verifier: flow.verifier, now: now)
        let audiences = [provider.settings.clientID]
        let token = try await provider.verified(tokens.idToken, nonces: [flow.nonce], audiences: audiences, now: now)
        let provedAt = try flow.provedAt(token, isApple: provider.settings.isApple)
        guard try await store.use(Once(digest: token.digest, until: token.expiresAt)) else {
            throw ProviderFault.rejected("token used before")
        }
        let info = try await info(token, tokens, flow, provider, visitor)
        return pending(token, info, provedAt, answer, tokens, flow, provider)
    }

    private func secret() -> String { Base64URL.encode(audit.random.bytes(32)) }

    /// What the userinfo endpoint says of somebody new who signs in with a token that has no
    /// address: many providers leave it out (OpenID Connect Core section 5.4). Returns nil if that
    /// has none either, which is logged, as nobody can sign up so. Throws
    /// `ProviderFault.unreachable`: trying again may help.
    private func info(
        _ token: IDToken, _ tokens: Provider.Tokens, _ flow: AuthFlow, _ provider: Provider, _ visitor: Visitor
    ) async throws -> UserInfo? {
        let (issuer, subject) = (token.claims.iss, token.claims.sub)
        guard flow.purpose.isSignIn, token.email == nil,
            try await store.identity(issuer: issuer, subject: subject) == nil
        else { return nil }
        do throws(ProviderFault) {
            return try await provider.userInfo(tokens, of: subject, now: audit.now())
        } catch {
            if case .unreachable = error { throw error }
            audit.log(error, provider: provider.settings.name, visitor: visitor)
            return nil
        }
    }

    private func pending(
        _ token: IDToken, _ info: UserInfo?, _ provedAt: Date?, _ answer: ProviderAnswer, _ tokens: Provider.Tokens,
        _ flow: AuthFlow, _ provider: Provider
    ) -> PendingIdentity {
        let name = (token.name ?? info?.displayName ?? answer.name).flatMap { try? DisplayName($0) }
        return PendingIdentity(
            id: audit.random.id(), provider: provider.settings.name, issuer: token.claims.iss,
            subject: token.claims.sub, email: (token.email ?? info?.address)?.typed,
            isEmailVerified: info?.isEmailVerified ?? token.isEmailVerified,
            name: name?.text, grant: provider.grant(tokens, to: provider.settings.clientID),
            returnTo: flow.returnTo, remember: flow.remember, provedAt: provedAt,
            expiresAt: audit.now().addingTimeInterval(PendingIdentity.lifetime), mayReplace: flow.mayReplace
        )
    }
}
