import Essentials
import Foundation
import JWTKit

/// One provider: where it sends people, what it gives for a code, and whether to believe it.
actor Provider {
    nonisolated let settings: ProviderSettings
    /// Where it answers to: `/auth/{name}/callback` of this site.
    nonisolated let redirectURL: String
    private nonisolated let http: OutboundHTTP
    private let keys: ProviderKeys
    private var known: (metadata: ProviderMetadata, at: Date)?
    private var discovery: Task<ProviderMetadata, any Error>?
    private var failed: (fault: ProviderFault, at: Date)?
    private static let metadataKeptFor: TimeInterval = 3600
    /// So long nobody waits again for a provider that does not answer.
    private static let failureKeptFor: TimeInterval = 5

    init(_ settings: ProviderSettings, publicURL: PublicURL, http: OutboundHTTP) {
        self.settings = settings
        redirectURL = publicURL.url("/auth/\(settings.name)/callback")
        self.http = http
        keys = ProviderKeys(http: http)
    }

    /// What a code was exchanged for.
    struct Tokens: Decodable {
        let idToken: String
        let refreshToken: String?

        private enum CodingKeys: String, CodingKey {
            case idToken = "id_token"
            case refreshToken = "refresh_token"
        }
    }

    /// Where the browser is sent to sign in there. Throws `ProviderFault`.
    /// `challenge` is the S256 of what only the server can show for the code (RFC 7636); with
    /// `wantsFreshSignIn` the provider asks its person to sign in anew (OpenID Connect Core section
    /// 3.1.2.1).
    func authorizationURL(
        state: String, nonce: String, challenge: String, wantsFreshSignIn: Bool, now: Date
    ) async throws(ProviderFault) -> String {
        let endpoint = try await metadata(now).authorizationEndpoint
        guard settings.isApple else {
            let url = FormText.url(
                endpoint,
                [
                    "response_type": "code", "client_id": settings.clientID, "redirect_uri": redirectURL,
                    "scope": "openid email profile", "state": state, "nonce": nonce,
                    "code_challenge": challenge, "code_challenge_method": "S256",
                ]
            )
            return wantsFreshSignIn ? FormText.url(url, ["prompt": "login", "max_age": "0"]) : url
        }
        return FormText.url(
            endpoint,
            [
                "response_type": "code", "response_mode": "form_post", "client_id": settings.clientID,
                "redirect_uri": redirectURL, "scope": "name email", "state": state, "nonce": nonce,
            ]
        )
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
            throw .rejected("the token endpoint answered \(answer.status)")
        }
        guard let tokens = try? JSONDecoder().decode(Tokens.self, from: Data(answer.body)) else {
            throw .rejected("the token endpoint's answer is not readable")
        }
        return tokens
    }

    /// The person behind a token, which is for us and answers one of `nonces`. Throws
    /// `ProviderFault`.
    func verified(
        _ text: String, nonces: [String], audiences: [String], now: Date
    ) async throws(ProviderFault) -> IDToken {
        let (claims, token) = try await signed(text, IDTokenClaims.self, now: now)
        try claims.check(issuer: settings.issuer, audiences: audiences, nonces: nonces, now: now)
        return IDToken(
            issuer: claims.iss, subject: claims.sub, audience: claims.aud.all.first { audiences.contains($0) } ?? "",
            email: claims.email,
            isEmailVerified: claims.emailVerified?.value ?? false, name: claims.name, hasNonce: claims.nonce != nil,
            authenticatedAt: claims.authTime.map { Date(timeIntervalSince1970: $0) }, digest: token.digest,
            expiresAt: Date(timeIntervalSince1970: claims.exp + IDTokenClaims.skew)
        )
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
        do {
            let key = try await keys.key(token.keyID, at: metadata.jwksURI, now: now)
            return (try await token.claims(Claims.self, key: key), token)
        } catch let fault as ProviderFault {
            throw fault
        } catch {
            throw .unreachable("\(error)")
        }
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
            let pair = "\(FormText.encoded(client)):\(FormText.encoded(secret))"
            let basic = "Basic \(Data(pair.utf8).base64EncodedString())"
            return try await http.send(OutboundRequest(url: url, form: form, authorization: basic))
        }
        return try await http.send(OutboundRequest(url: url, form: form))
    }

    /// What the provider says about itself: asked for once an hour, and for many at once. The last
    /// answer serves while there is no newer one.
    private func metadata(_ now: Date) async throws(ProviderFault) -> ProviderMetadata {
        if let known, abs(now.timeIntervalSince(known.at)) < Self.metadataKeptFor { return known.metadata }
        do throws(ProviderFault) {
            if let failed, abs(now.timeIntervalSince(failed.at)) < Self.failureKeptFor { throw failed.fault }
            return try await discovered(now)
        } catch {
            guard let known else { throw error }
            return known.metadata
        }
    }

    private func discovered(_ now: Date) async throws(ProviderFault) -> ProviderMetadata {
        let running =
            discovery
            ?? Task { [http, issuer = settings.issuer] in
                let answer = try await http.send(OutboundRequest(url: ProviderMetadata.url(of: issuer)))
                return try ProviderMetadata.read(answer, of: issuer)
            }
        discovery = running
        defer { discovery = nil }
        let start = ContinuousClock.now
        do {
            let metadata = try await running.value
            known = (metadata, now)
            return metadata
        } catch {
            let fault = error as? ProviderFault ?? .unreachable("\(error)")
            // One that hangs has failed only now.
            failed = (fault, now.addingTimeInterval(start.duration(to: .now) / .seconds(1)))
            throw fault
        }
    }

    nonisolated func start() {
        http.start()
    }

    nonisolated func stop() {
        http.stop()
    }
}
