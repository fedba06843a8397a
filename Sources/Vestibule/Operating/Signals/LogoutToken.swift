import Essentials
import Foundation

/// What tells an application that a session which has entered it has ended (OpenID Connect
/// Back-Channel Logout 1.0 section 2.4).
struct LogoutToken: Sendable {
    let keys: SigningKeys
    /// The public URL.
    let issuer: String
    /// In seconds; section 4 says two minutes at most.
    private static let lifetime = 120

    /// Its id is that of the signal, at each try.
    func text(of signal: Signal, for client: String, at now: Date) async throws -> String {
        let start = Int(now.timeIntervalSince1970)
        let events: JSONObject = ["http://schemas.openid.net/event/backchannel-logout": [:] as JSONObject]
        let claims: JSONObject = [
            "iss": issuer, "aud": client, "iat": start, "exp": start + Self.lifetime, "jti": signal.id,
            "sub": signal.accountID, "sid": signal.sessionID, "events": events,
        ]
        return try await keys.sign(claims, type: "logout+jwt")
    }
}
