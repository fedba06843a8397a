import Crypto
import Essentials
import Foundation
import Logging

/// Gives clients tokens for codes and refresh tokens (OpenID Connect Core sections 3.1.3 and 12).
struct ClientTokens: Sendable {
    let store: any ClientTokenStore
    let keys: [SigningAlgorithm: SigningKeys]
    /// The public URL.
    let issuer: String
    let audit: Audit
    /// Whether every account must have a second factor.
    let requiresFactor: Bool

    /// What a client gets.
    struct Given: Sendable {
        let access: Token
        let idToken: String
        let scopes: Scopes
        let refresh: RefreshToken?
    }

    /// Returns nil for a code that is not worth tokens for this client.
    func redeem(
        code: String, redirect: String, verifier: String?, _ application: ProtectedApplication, visitor: Visitor
    ) async throws -> Given? {
        guard let code = Token(presented: code), let client = application.client else { return nil }
        let challenge = verifier.map { Base64URL.encode(SHA256.hash(data: Array($0.utf8))) }
        guard challenge != nil || !client.requiresPKCE, verifier.map(Self.isVerifier) ?? true else { return nil }
        try await checkSigner(of: client)
        let access = Token(from: audit.random)
        let refresh = client.offersOffline ? RefreshToken(from: audit.random) : nil
        let exchange = try await store.spendCode(
            CodeRedemption(
                code: code.digest, application: application, redirect: redirect, challenge: challenge,
                given: given(access, refresh), requiresFactor: requiresFactor, now: audit.now(),
                replayed: audit.event(.codeReplayed, accountID: nil, visitor: visitor)))
        return try await answer(exchange, application, access, refresh, visitor)
    }

    /// What is shorter could be guessed from its challenge (RFC 7636 section 4.1).
    private static func isVerifier(_ text: String) -> Bool { (43...128).contains(text.utf8.count) }

    /// Returns nil for a token that is not the newest of a family of this client, and for a session
    /// that the application does not admit.
    func refresh(_ presented: String, _ application: ProtectedApplication, visitor: Visitor) async throws -> Given? {
        guard let client = application.client, let old = RefreshToken(presented: presented) else { return nil }
        try await checkSigner(of: client)
        let (access, refresh) = (Token(from: audit.random), old.next(from: audit.random))
        let exchange = try await store.rotate(
            RefreshRotation(
                family: old.family.digest, token: old.secret.digest, application: application,
                given: given(access, refresh), requiresFactor: requiresFactor, now: audit.now(),
                replayed: audit.event(.refreshReplayed, accountID: nil, visitor: visitor)))
        return try await answer(exchange, application, access, refresh, visitor)
    }

    /// Ends what the client has; a token of another one, or of nobody, is nothing to it (RFC 7009
    /// section 2.2).
    func revoke(_ presented: String, _ application: ProtectedApplication) async throws {
        try await store.revokeToken(
            access: Token(presented: presented)?.digest, family: RefreshToken(presented: presented)?.family.digest,
            of: application.name)
    }

    /// Throws `SigningKeyUnusable` before anything is used up: what is sent again later would be
    /// taken for a thief's.
    private func checkSigner(of client: OpenIDClient) async throws {
        _ = try await keys[client.algorithm]?.signer()
    }

    private func given(_ access: Token, _ refresh: RefreshToken?) -> NewTokens {
        NewTokens(
            access: access.digest, accessExpiresAt: audit.now().addingTimeInterval(NewTokens.lifetime),
            family: refresh?.family.digest, refresh: refresh?.secret.digest)
    }

    private func answer(
        _ exchange: TokenExchange, _ application: ProtectedApplication, _ access: Token, _ refresh: RefreshToken?,
        _ visitor: Visitor
    ) async throws -> Given? {
        if case .replayed(let event) = exchange { audit.log(event, visitor: visitor) }
        guard let grant = exchange.grant else { return nil }
        let scopes = Scopes(grant.scopes)
        guard let algorithm = application.client?.algorithm,
            let idToken = try await keys[algorithm]?.sign(claims(grant, scopes, access))
        else { throw SigningKeyUnusable() }
        return Given(
            access: access, idToken: idToken, scopes: scopes, refresh: scopes.contains(.offline) ? refresh : nil)
    }

    private func claims(_ grant: TokenGrant, _ scopes: Scopes, _ access: Token) -> JSONObject {
        let (session, account) = (grant.record.session, grant.record.account)
        let start = Int(audit.now().timeIntervalSince1970)
        // After a refresh it is that of the sign-in or is left out (OpenID Connect Core section
        // 12.2).
        let isProvedSince = grant.enteredAt.map { session.proof.at > $0 } ?? false
        var claims: JSONObject = [
            "iss": issuer, "aud": grant.application, "sub": account.id, "sid": session.id, "iat": start,
            "exp": start + Int(NewTokens.lifetime),
            "auth_time": isProvedSince ? nil : Int(session.proof.at.timeIntervalSince1970),
            "amr": session.proof.methods, "acr": session.proof.contextClass, "nonce": grant.nonce,
            // The left half (OpenID Connect Core section 3.1.3.6).
            "at_hash": Base64URL.encode([UInt8](SHA256.hash(data: Array(access.text.utf8))).prefix(16)),
        ]
        for (name, value) in scopes.claims(of: account) { claims[name] = value }
        return claims
    }
}

/// What a client gets new tokens for: the name of its family, and the secret that changes.
struct RefreshToken: Secret, Sendable {
    let family: Token
    let secret: Token

    var text: String { "\(family.text).\(secret.text)" }

    init(from random: Randomness) {
        (family, secret) = (Token(from: random), Token(from: random))
    }

    private init(family: Token, secret: Token) {
        (self.family, self.secret) = (family, secret)
    }

    /// Returns nil if it cannot be one that was given out.
    init?(presented: String) {
        let parts = presented.parts(by: ".").map { Token(presented: String($0)) }
        guard parts.count == 2, let family = parts[0], let secret = parts[1] else { return nil }
        (self.family, self.secret) = (family, secret)
    }

    func next(from random: Randomness) -> RefreshToken {
        RefreshToken(family: family, secret: Token(from: random))
    }
}

extension SecurityEvent.Kind {
    /// A code came twice: somebody else may have seen it.
    static let codeReplayed = Self("code_replayed", log: "authn_token_reuse", .warning)
    static let refreshReplayed = Self("refresh_replayed", log: "authn_token_reuse", .warning)
}
