import Essentials
import Foundation

/// What a provider says about itself (OpenID Connect Discovery 1.0 section 3), as far as we use it.
struct ProviderMetadata: Sendable, Decodable {
    let issuer: String
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let jwksURI: String
    let revocationEndpoint: String?
    private let signingAlgorithms: [String]?
    private let tokenAuthentication: [String]?
    private let saysIssuer: Bool?

    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case jwksURI = "jwks_uri"
        case revocationEndpoint = "revocation_endpoint"
        case signingAlgorithms = "id_token_signing_alg_values_supported"
        case tokenAuthentication = "token_endpoint_auth_methods_supported"
        case saysIssuer = "authorization_response_iss_parameter_supported"
    }

    /// Throws unless the document is that issuer's own (section 4.3).
    static func read(_ answer: OutboundAnswer, of issuer: String) throws(ProviderFault) -> ProviderMetadata {
        guard answer.status == 200 else { throw .unreachable("discovery answered \(answer.status)") }
        guard let metadata = try? JSONDecoder().decode(ProviderMetadata.self, from: Data(answer.body)) else {
            throw .unreachable("discovery is not readable")
        }
        guard metadata.issuer.isExactly(issuer) else { throw .rejected("discovery names another issuer") }
        guard metadata.endpoints.allSatisfy({ isTrusted($0, issuer) }) else {
            throw .rejected("discovery names an endpoint that is not encrypted")
        }
        return metadata
    }

    private var endpoints: [String] {
        [authorizationEndpoint, tokenEndpoint, jwksURI] + [revocationEndpoint].compactMap { $0 }
    }

    /// Encrypted, or as in development at the plain origin of the issuer itself; a browser is sent
    /// to one of them.
    private static func isTrusted(_ url: String, _ issuer: String) -> Bool {
        guard let origin = Origin(ofURL: url) else { return false }
        return origin.isSecure || origin == Origin(ofURL: issuer)
    }

    static func url(of issuer: String) -> String {
        "\(issuer.before("/") ?? issuer[...])/.well-known/openid-configuration"
    }

    /// The signature tokens must have: RS256, or ES256 where a provider has only that. Never
    /// `none`, never a shared key.
    var algorithm: String {
        let offered = signingAlgorithms ?? []
        // Characters: names in a list.
        return offered.contains("ES256") && !offered.contains("RS256") ? "ES256" : "RS256"
    }

    /// Whether the token endpoint takes the secret only in the form.
    var wantsSecretInForm: Bool {
        guard let tokenAuthentication else { return false }
        // Characters: a name in a list.
        return !tokenAuthentication.contains("client_secret_basic")
    }

    /// Whether every answer to the browser names the issuer (RFC 9207).
    var alwaysSaysIssuer: Bool { saysIssuer ?? false }
}
