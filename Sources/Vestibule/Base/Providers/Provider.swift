import Essentials
import Foundation
import JWTKit

/// One provider: where it sends people, what it gives for a code, and whether to believe it.
struct Provider: Sendable {
    let settings: ProviderSettings
    /// Where it answers to: `/auth/{name}/callback` of this site.
    let redirectURL: String
    let http: OutboundHTTP
    private let discovery: ProviderDocument<ProviderMetadata>
    private let keys: ProviderDocument<[String: JWK]>

    init(
        _ settings: ProviderSettings, publicURL: PublicURL, http: OutboundHTTP,
        passed: @escaping @Sendable () -> Duration
    ) {
        self.settings = settings
        redirectURL = publicURL.url("/auth/\(settings.name)/callback")
        self.http = http
        discovery = ProviderDocument(http, passed: passed) { [issuer = settings.issuer] answer throws(ProviderFault) in
            try ProviderMetadata.read(answer, of: issuer)
        }
        keys = ProviderDocument(http, passed: passed, read: ProviderKeys.read)
    }

    /// Seconds.
    private static let year = 31_536_000

    /// What a code was exchanged for.
    struct Tokens: Decodable {
        let idToken: String
        let accessToken: String?
        let refreshToken: String?
    }

    /// Why a token endpoint refuses (RFC 6749 section 5.2).
    private struct OAuthError: Decodable {
        let error: String
    }

    /// Where the browser is sent to sign in there. Throws `ProviderFault`.
    /// `challenge` is the S256 of what only the server can show for the code (RFC 7636); the
    /// provider asks its person to sign in again after `maxAge` seconds, with 0 always, and with
    /// nil after a year (OpenID Connect Core section 3.1.2.1): some say when a sign-in was only
    /// where an age is asked for.
    func authorizationURL(
        state: String, nonce: String, challenge: String, maxAge: Int?, now: Date
    ) async throws(ProviderFault) -> String {
        let endpoint = try await metadata(now).authorizationEndpoint
        guard settings.isApple else {
            return endpoint.adding([
                "response_type": "code", "client_id": settings.clientID, "redirect_uri": redirectURL,
                "scope": "openid email profile", "state": state, "nonce": nonce,
                "code_challenge": challenge, "code_challenge_method": "S256",
                "max_age": "\(maxAge ?? Self.year)", "prompt": maxAge == 0 ? "login" : nil,
            ])
        }
        return endpoint.adding([
            "response_type": "code", "response_mode": "form_post", "client_id": settings.clientID,
            "redirect_uri": redirectURL, "scope": "name email", "state": state, "nonce": nonce,
        ])
    }

    /// Throws when the answer to the browser names another issuer, or none where it must (RFC
    /// 9207).
    func check(issuer: String?, now: Date) async throws(ProviderFault) {
        guard let issuer else {
            guard try await !metadata(now).alwaysSaysIssuer else { throw .rejected("the answer names no issuer") }
            return
        }
        guard issuer == settings.issuer else { throw .rejected("the answer names another issuer") }
    }

    /// Why a sign-in cannot work, by its document and its keys; nil where these are well.
    func problem(at now: Date) async -> String? {
        do {
            let found = try await keys.fetch(metadata(now).jwksUri, now: now)
            return found.isEmpty ? "there is no key that can be used" : nil
        } catch {
            return error.reason
        }
    }

    /// The tokens for a code that came through a browser. Throws `ProviderFault`.
    func exchange(_ code: String, verifier: String, now: Date) async throws(ProviderFault) -> Tokens {
        var form = ["code": code, "redirect_uri": redirectURL]
        if !settings.isApple { form["code_verifier"] = verifier }
        return try await tokens(form, as: settings.clientID, now: now)
    }

    /// What `form` with a code in it is exchanged for. Throws `ProviderFault`.
    func tokens(_ form: [String: String], as client: String, now: Date) async throws(ProviderFault) -> Tokens {
        let form = form.merging(["grant_type": "authorization_code"]) { $1 }
        let metadata = try await metadata(now)
        let answer = try await send(form, to: metadata.tokenEndpoint, as: client, metadata, now)
        guard answer.status == 200 else {
            if answer.status >= 500 { throw .unreachable("the token endpoint answered \(answer.status)") }
            let refused: OAuthError? = answer.decoded()
            throw .rejected("the token endpoint answered \(answer.status)\(ProviderFault.code(refused?.error))")
        }
        guard let tokens: Tokens = answer.decoded() else {
            throw .rejected("the token endpoint's answer is not readable")
        }
        return tokens
    }

    /// The person behind a token, which is for us and answers one of `nonces`; it may have been
    /// given to one of `apps`. Throws `ProviderFault`.
    func verified(
        _ text: String, nonces: [String], audiences: [String], apps: [String] = [], now: Date
    ) async throws(ProviderFault) -> IDToken {
        let (claims, token) = try await signed(text, IDTokenClaims.self, now: now)
        try claims.check(issuer: settings.issuer, audiences: audiences, nonces: nonces, apps: apps, now: now)
        return IDToken(
            claims: claims, audience: claims.aud.all.first { audiences.contains($0) } ?? "",
            authenticatedAt: settings.isApple ? nil : claims.authenticatedAt(by: now), digest: token.digest)
    }

    /// What the provider says beside the token of the person with that subject. Throws
    /// `ProviderFault` if there is no address.
    func userInfo(_ tokens: Tokens, of subject: String, now: Date) async throws(ProviderFault) -> UserInfo {
        guard let endpoint = try await metadata(now).userInfoURL else {
            throw .rejected("no email address in the ID token, and no userinfo endpoint that is encrypted")
        }
        guard let token = tokens.accessToken, (1...16_384).contains(token.utf8.count),
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .rejected("no access token for the userinfo endpoint") }
        let request = OutboundRequest(url: endpoint, authorization: "Bearer \(token)")
        return try UserInfo.read(await http.send(request), of: subject)
    }

    /// Takes back what was granted (RFC 7009). Throws `ProviderFault`.
    func revoke(_ grant: ProviderGrant, now: Date) async throws(ProviderFault) {
        let metadata = try await metadata(now)
        guard let endpoint = metadata.revocationEndpoint else { throw .unreachable("no revocation endpoint") }
        let form = ["token": grant.refreshToken, "token_type_hint": "refresh_token"]
        let answer = try await send(form, to: endpoint, as: grant.clientID, metadata, now)
        guard answer.status == 200 else { throw .unreachable("revocation answered \(answer.status)") }
    }

    /// Claims under a right signature of the provider's. Throws `ProviderFault`.
    func signed<Claims: JWTPayload>(
        _ text: String, _: Claims.Type, now: Date
    ) async throws(ProviderFault) -> (Claims, SignedToken) {
        let metadata = try await metadata(now)
        let token = try SignedToken(text, algorithm: settings.isApple ? "RS256" : metadata.algorithm)
        let key = try await keys.key(token.keyID, at: metadata.jwksUri, now: now)
        return (try await token.claims(Claims.self, key: key), token)
    }

    private func send(
        _ form: [String: String], to url: String, as client: String, _ metadata: ProviderMetadata, _ now: Date
    ) async throws(ProviderFault) -> OutboundAnswer {
        var form = form
        switch settings.proof {
        case .apple(let key):
            form["client_id"] = client
            form["client_secret"] = try await AppleClientSecret.make(
                key, for: client, audience: settings.issuer, now: now)
        case .secret(let secret) where metadata.wantsSecretInForm:
            form["client_id"] = client
            form["client_secret"] = secret
        case .secret(let secret):
            let pair = "\(client.formEncoded):\(secret.formEncoded)"
            let basic = "Basic \(Data(pair.utf8).base64EncodedString())"
            return try await http.send(OutboundRequest(url: url, form: form, authorization: basic))
        }
        return try await http.send(OutboundRequest(url: url, form: form))
    }

    private func metadata(_ now: Date) async throws(ProviderFault) -> ProviderMetadata {
        try await discovery.metadata(of: settings.issuer, now: now)
    }
}
