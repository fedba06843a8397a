import Foundation
import JWTKit

/// What we show Apple instead of a password: signed when it is needed, good for five minutes.
struct AppleClientSecret: JWTPayload {
    let iss: String
    let iat: Int
    let exp: Int
    let aud: String
    let sub: String

    func verify(using algorithm: some JWTAlgorithm) {}

    static func make(
        _ apple: ProviderSettings.AppleKey, for clientID: String, audience: String, now: Date
    ) async throws(ProviderFault) -> String {
        let start = Int(now.timeIntervalSince1970)
        let secret = AppleClientSecret(
            iss: apple.teamID, iat: start, exp: start + 300, aud: audience, sub: clientID)
        do {
            let keys = JWTKeyCollection()
            let kid = JWKIdentifier(string: apple.keyID)
            await keys.add(ecdsa: apple.key, kid: kid)
            return try await keys.sign(secret, kid: kid)
        } catch {
            throw .unreachable("the client secret cannot be signed")
        }
    }
}
