import Essentials
import Foundation

/// What a provider lets us take back: the refresh token, and the client id it was given to,
/// which alone may do so.
struct ProviderGrant: Secret, Codable {
    let clientID: String
    let refreshToken: String
}

extension ProviderGrant {
    /// What was sealed for that identity. Throws for anything that was not sealed by us.
    init(_ sealed: [UInt8], _ key: SecretKey, issuer: String, subject: String) throws {
        let use = SealedUse.grant(issuer: issuer, subject: subject)
        self = try JSONDecoder().decode(ProviderGrant.self, from: Data(try key.open(sealed, for: use)))
    }

    /// For the store, which keeps it with the identity.
    func sealed(_ key: SecretKey, issuer: String, subject: String) throws -> [UInt8] {
        try key.seal([UInt8](JSONEncoder().encode(self)), for: .grant(issuer: issuer, subject: subject))
    }
}

extension Provider {
    /// What the code beside an app's token grants; it must be for the same person. Throws
    /// `ProviderFault`.
    func grant(_ code: String, for token: IDToken, now: Date) async throws(ProviderFault) -> ProviderGrant? {
        guard code.utf8.count <= 1024 else { throw .rejected("the code is too large") }
        let tokens = try await tokens(["code": code], as: token.audience, now: now)
        let (claims, _) = try await signed(tokens.idToken, IDTokenClaims.self, now: now)
        guard claims.iss == token.claims.iss, claims.sub == token.claims.sub else {
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
