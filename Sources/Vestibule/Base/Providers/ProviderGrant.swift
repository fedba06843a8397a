import Essentials
import Foundation

/// What a provider lets us take back: the refresh token, and the client id it was given to,
/// which alone may do so.
struct ProviderGrant: Secret, Codable {
    let clientID: String
    let refreshToken: String
}

extension ProviderGrant {
    /// Throws for anything that was not sealed by us.
    init(_ sealed: SealedGrant, _ key: SecretKey) throws {
        let use = SealedUse.grant(issuer: sealed.issuer, subject: sealed.subject)
        self = try JSONDecoder().decode(ProviderGrant.self, from: Data(try key.open(sealed.bytes, for: use)))
    }

    /// For the store, which keeps it with the identity.
    func sealed(_ key: SecretKey, issuer: String, subject: String) throws -> [UInt8] {
        try key.seal([UInt8](JSONEncoder().encode(self)), for: .grant(issuer: issuer, subject: subject))
    }
}

/// What a provider granted for an identity, as the store keeps it: sealed for that identity.
package struct SealedGrant: Sendable {
    /// The provider's name in the settings.
    package let provider: String
    package let issuer: String
    package let subject: String
    package let bytes: [UInt8]

    package init(provider: String, issuer: String, subject: String, bytes: [UInt8]) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.bytes = bytes
    }
}

extension Provider {
    /// What the code beside an app's token grants; it must be for the same person. Throws
    /// `ProviderFault`.
    func grant(_ code: String, for token: IDToken, now: Date) async throws(ProviderFault) -> ProviderGrant? {
        guard code.utf8.count <= 1024 else { throw .rejected("the code is too large") }
        let tokens = try await tokens(["code": code], as: token.audience, now: now)
        let (claims, _) = try await signed(tokens.idToken, IDTokenClaims.self, now: now)
        guard claims.iss == token.issuer, claims.sub == token.subject else {
            throw .rejected("a code of somebody else")
        }
        return grant(tokens, to: token.audience)
    }

    /// Only Apple's is kept: it wants it back when an account ends.
    func grant(_ tokens: Tokens, to client: String) -> ProviderGrant? {
        guard settings.isApple else { return nil }
        return tokens.refreshToken.map { ProviderGrant(clientID: client, refreshToken: $0) }
    }
}
