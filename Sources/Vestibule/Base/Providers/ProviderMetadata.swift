import Essentials
import Foundation

/// What a provider says about itself (OpenID Connect Discovery 1.0 section 3), as far as we use it.
struct ProviderMetadata: Sendable, Decodable {  // Parts: those of the document.
    let issuer: String
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let jwksUri: String
    let revocationEndpoint: String?
    private let userinfoEndpoint: IfReadable<String>?
    private let idTokenSigningAlgValuesSupported: [String]?
    private let tokenEndpointAuthMethodsSupported: [String]?
    private let authorizationResponseIssParameterSupported: Bool?

    /// Throws unless the document is that issuer's own (section 4.3).
    static func read(_ answer: OutboundAnswer, of issuer: String) throws(ProviderFault) -> ProviderMetadata {
        guard answer.status == 200 else { throw .unreachable("discovery answered \(answer.status)") }
        guard let metadata: ProviderMetadata = answer.decoded() else {
            throw .unreachable("discovery is not readable")
        }
        guard metadata.issuer.isExactly(issuer) else {
            let named = metadata.issuer.showable(atMost: 200)
            throw .rejected("discovery names another issuer: \(named), not \(issuer)")
        }
        guard metadata.endpoints.allSatisfy({ isTrusted($0, issuer) }) else {
            throw .rejected("discovery names an endpoint that is not encrypted")
        }
        return metadata
    }

    private var endpoints: [String] {
        [authorizationEndpoint, tokenEndpoint, jwksUri] + [revocationEndpoint].compactMap { $0 }
    }

    /// One that cannot be used counts as left out: people who are known need none.
    var userInfoURL: String? {
        userinfoEndpoint?.value.flatMap { Self.isTrusted($0, issuer) ? $0 : nil }
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
        let offered = idTokenSigningAlgValuesSupported ?? []
        // Characters: names in a list.
        return offered.contains("ES256") && !offered.contains("RS256") ? "ES256" : "RS256"
    }

    /// Whether the token endpoint takes the secret only in the form.
    var wantsSecretInForm: Bool {
        guard let methods = tokenEndpointAuthMethodsSupported else { return false }
        // Characters: a name in a list.
        return !methods.contains("client_secret_basic")
    }

    /// Whether every answer to the browser names the issuer (RFC 9207).
    var alwaysSaysIssuer: Bool { authorizationResponseIssParameterSupported ?? false }
}

extension ProviderDocument<ProviderMetadata> {
    private static var keptFor: TimeInterval { 3600 }

    /// What the provider says about itself: asked for once an hour. The last answer serves while
    /// there is no newer one.
    func metadata(of issuer: String, now: Date) async throws(ProviderFault) -> ProviderMetadata {
        if let latest, abs(now.timeIntervalSince(latest.at)) < Self.keptFor { return latest.content }
        do throws(ProviderFault) {
            return try await fetch(ProviderMetadata.url(of: issuer), now: now)
        } catch {
            guard let latest else { throw error }
            return latest.content
        }
    }
}
