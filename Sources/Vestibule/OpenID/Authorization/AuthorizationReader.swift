import Essentials
import Foundation

/// Reads what clients ask for.
struct AuthorizationReader: Sendable {
    let applications: Applications
    let hints: IDTokenHints
    let key: SecretKey
    let now: @Sendable () -> Date

    /// Seconds; sign-up by mail and a reset fit in.
    private static let lifetime: TimeInterval = 3600
    /// Bytes, so that a sealed request fits into `return_to`.
    private static let longest = 1960
    /// Bytes: which key, nonce and tag.
    private static let addedBySeal = 4 + 12 + 16
    private static let use = SealedUse.openID(name: "authorization")
    /// Other ways to hand a request over (OpenID Connect Core sections 6 and 7.2.1).
    private static let refused = [
        ("request", "request_not_supported"), ("request_uri", "request_uri_not_supported"),
        ("registration", "registration_not_supported"),
    ]

    /// Throws `AuthorizationFault`.
    func request(_ sent: [String: String]) async throws -> AuthorizationRequest {
        // As if they were left out (RFC 6749 section 3.1); clients may compare the state.
        let fields = sent.filter { !$0.value.isEmpty }
        guard let id = fields["client_id"], let application = applications.client(id), let client = application.client
        else { throw AuthorizationFault.shown(.client) }
        guard let redirect = fields["redirect_uri"], client.mayRedirect(to: redirect) else {
            throw AuthorizationFault.shown(.redirect)
        }
        let target = AuthorizationTarget(
            redirect: redirect, state: sent["state"], usesForm: fields["response_mode"] == "form_post")
        var request = AuthorizationRequest(
            client: application.name, redirect: redirect, state: target.state, usesForm: target.usesForm,
            scopes: try scopes(fields, client, target).text)
        for (name, code) in Self.refused where fields[name] != nil {
            throw AuthorizationFault.sent(code, "\(name) is not taken here", target)
        }
        try checkResponse(fields, target)
        request.challenge = try challenge(fields, client, target)
        request.prompts = try prompts(fields, target)
        request.maxAge = try maxAge(fields, target)
        request.nonce = fields["nonce"]
        if request.nonce?.utf8.contains(0) == true {
            throw AuthorizationFault.sent("invalid_request", "nonce has a NUL", target)
        }
        if let hint = fields["id_token_hint"] {
            guard let hinted = try await hints.read(hint), hinted.client.isExactly(id) else {
                throw AuthorizationFault.sent(
                    "invalid_request", "id_token_hint is no ID token of this client, or its key is gone", target)
            }
            request.hintedSubject = hinted.subject
        }
        request.madeAt = now().timeIntervalSince1970
        // Most are far shorter, and need not be sealed only to be measured.
        let most = (request.mostBytes + Self.addedBySeal) * 4 / 3 + 1
        guard try most <= Self.longest || sealed(request).utf8.count <= Self.longest else {
            throw AuthorizationFault.sent("invalid_request", "the request is too long", target)
        }
        return request
    }

    /// For the link that leads back here from other pages.
    func sealed(_ request: AuthorizationRequest) throws -> String {
        try key.sealedText(request, for: Self.use)
    }

    /// What such a link says. Throws `AuthorizationFault` if it was not made here, or longer than
    /// an hour ago, or the settings have changed since.
    func opened(_ text: String) throws -> AuthorizationRequest {
        guard let request = read(text), now().timeIntervalSince1970 - request.madeAt < Self.lifetime,
            let client = applications.client(request.client)?.client, client.mayRedirect(to: request.redirect)
        else { throw AuthorizationFault.shown(.spent) }
        return request
    }

    /// The client's request that a granted `return_to` leads back to, even an expired one; nil if
    /// it leads elsewhere.
    func request(at wish: String, publicURL: PublicURL) -> AuthorizationRequest? {
        let page = publicURL.page(at: wish).map { String($0) }
        let sealed = page?.after(AuthorizationPage.path("")).map { String($0) }
        return sealed.flatMap(read)
    }

    private func read(_ sealed: String) -> AuthorizationRequest? {
        key.opened(sealed, atMost: 4096, for: Self.use)
    }

    private func scopes(
        _ fields: [String: String], _ client: OpenIDClient, _ target: AuthorizationTarget
    ) throws -> Scopes {
        let asked = Scopes(fields["scope"] ?? "")
        guard asked.contains(.openid) else {
            throw AuthorizationFault.sent("invalid_scope", "scope lacks openid", target)
        }
        return client.offersOffline ? asked : asked.without(.offline)
    }

    private func checkResponse(_ fields: [String: String], _ target: AuthorizationTarget) throws {
        switch fields["response_type"] {
        case nil: throw AuthorizationFault.sent("invalid_request", "response_type is missing", target)
        case "code": break
        default: throw AuthorizationFault.sent("unsupported_response_type", "response_type is not code", target)
        }
        guard ["query", "form_post"].contains(fields["response_mode"] ?? "query") else {
            throw AuthorizationFault.sent("invalid_request", "response_mode is neither query nor form_post", target)
        }
    }

    private func challenge(
        _ fields: [String: String], _ client: OpenIDClient, _ target: AuthorizationTarget
    ) throws -> String? {
        guard let challenge = fields["code_challenge"] else {
            guard !client.requiresPKCE, fields["code_challenge_method"] == nil else {
                throw AuthorizationFault.sent("invalid_request", "code_challenge is missing", target)
            }
            return nil
        }
        guard fields["code_challenge_method"] == "S256" else {
            throw AuthorizationFault.sent("invalid_request", "code_challenge_method is not S256", target)
        }
        guard challenge.utf8.count == 43, Base64URL.isCanonical(challenge) else {
            throw AuthorizationFault.sent("invalid_request", "code_challenge is not 43 characters of base64url", target)
        }
        return challenge
    }

    private func prompts(
        _ fields: [String: String], _ target: AuthorizationTarget
    ) throws -> Set<AuthorizationRequest.Prompt> {
        let names = (fields["prompt"] ?? "").parts(by: " ").filter { !$0.isEmpty }
        let prompts = AuthorizationRequest.Prompt.allCases.filter { prompt in
            names.contains { $0.isExactly(prompt.rawValue) }
        }
        guard !prompts.contains(.none) || names.count == 1 else {
            throw AuthorizationFault.sent("invalid_request", "prompt has none and something else", target)
        }
        return Set(prompts)
    }

    private func maxAge(_ fields: [String: String], _ target: AuthorizationTarget) throws -> Int? {
        guard let text = fields["max_age"] else { return nil }
        guard let seconds = Int(text), seconds >= 0 else {
            throw AuthorizationFault.sent("invalid_request", "max_age is no number of seconds", target)
        }
        return seconds
    }
}
