import Essentials
import HTTPTypes
import Hummingbird
import Serving

/// `/.well-known/openid-configuration`: what clients need to know (OpenID Connect Discovery section
/// 3, RFC 8414).
struct DiscoveryRoutes {
    let publicURL: PublicURL

    static let path = "/.well-known/openid-configuration"

    func add(to routes: some RouterMethods<AppContext>) {
        routes.get(RouterPath(Self.path)) { _, _ in
            var response = try JSONReply.of(document)
            response.headers[.cacheControl] = "public, max-age=300"
            return response
        }
    }

    private var document: JSONObject {
        [
            "issuer": publicURL.text, "authorization_endpoint": publicURL.url("/oauth/authorize"),
            "token_endpoint": publicURL.url("/oauth/token"), "userinfo_endpoint": publicURL.url("/oauth/userinfo"),
            "revocation_endpoint": publicURL.url("/oauth/revoke"),
            "end_session_endpoint": publicURL.url("/oauth/logout"),
            "jwks_uri": publicURL.url("/.well-known/jwks.json"), "scopes_supported": Scope.allCases.map(\.rawValue),
            "response_types_supported": ["code"], "response_modes_supported": ["query", "form_post"],
            "grant_types_supported": ["authorization_code", "refresh_token"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "code_challenge_methods_supported": ["S256"], "acr_values_supported": ["1", "2"],
            "prompt_values_supported": AuthorizationRequest.Prompt.allCases.map(\.rawValue),
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "sid", "amr", "acr", "name",
                "locale", "preferred_username", "email", "email_verified", "groups",
            ],
            "claims_parameter_supported": false, "request_parameter_supported": false,
            "backchannel_logout_supported": true, "backchannel_logout_session_supported": true,
            "request_uri_parameter_supported": false, "authorization_response_iss_parameter_supported": true,
        ]
    }
}
