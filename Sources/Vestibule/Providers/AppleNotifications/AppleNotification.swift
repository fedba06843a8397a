import Essentials
import Foundation
import JWTKit

/// What Apple tells us of an identity, as it is written: signed like an ID token, the events a text
/// of JSON inside it.
struct AppleNotification: JWTPayload {
    /// What happened, and to whom.
    struct Event: Decodable, Sendable {
        let type: String
        let sub: String
    }

    let iss: String
    let aud: OneOrMore
    let iat: Double
    let exp: Double?
    let jti: String
    let events: String
    private static let keptFor: TimeInterval = 86_400

    /// The claims are checked by `event`, which knows what is expected.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// The event, when the notification is for us and of today. Throws `ProviderFault`.
    func event(_ settings: ProviderSettings, now: Date) throws(ProviderFault) -> Event {
        guard iss.isExactly(settings.issuer) else { throw .rejected("notification of another issuer") }
        guard aud.all.contains(where: ([settings.clientID] + settings.appIDs).contains) else {
            throw .rejected("notification for somebody else")
        }
        let age = now.timeIntervalSince1970 - iat
        guard age > -IDTokenClaims.skew, age < Self.keptFor,
            exp.map({ $0 > now.timeIntervalSince1970 - IDTokenClaims.skew }) ?? true
        else { throw .rejected("notification of another time") }
        guard !jti.isEmpty, let event = try? JSONDecoder().decode(Event.self, from: Data(events.utf8)) else {
            throw .rejected("notification not readable")
        }
        return event
    }

    /// Until when it has to be remembered as seen.
    var usableUntil: Date { Date(timeIntervalSince1970: iat + Self.keptFor) }
}
