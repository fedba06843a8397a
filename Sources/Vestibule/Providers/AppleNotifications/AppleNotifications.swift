import Essentials
import Foundation
import JWTKit

/// Does what Apple's notifications ask for: an identity that has ended there ends here.
struct AppleNotifications: Sendable {
    let provider: Provider
    let store: any IdentityStore & AppleNotificationStore
    let providers: Providers
    let mailer: Mailer
    let audit: Audit

    /// Throws `ProviderFault` for what must not be believed. Does nothing if the notification was
    /// seen before, its identity is unknown, or its event is older than the connection here.
    func receive(_ payload: String, visitor: Visitor) async throws {
        let now = audit.now()
        let (notification, _) = try await provider.signed(payload, AppleNotification.self, now: now)
        let event = try notification.event(provider.settings, now: now)
        let once = Once(
            digest: TokenDigest(of: "notification \(notification.jti)"), until: notification.usableUntil)
        let record = try await store.identity(issuer: provider.settings.issuer, subject: event.sub)
        let happenedAt = event.at ?? Date(timeIntervalSince1970: notification.iat)
        guard let record, happenedAt > record.identity.createdAt.addingTimeInterval(-IDTokenClaims.skew) else { return }
        do {
            try await carryOut(event.type, record, once, visitor)
        } catch is UsedBefore {
            return
        }
    }

    private func carryOut(_ type: String, _ record: IdentityRecord, _ once: Once, _ visitor: Visitor) async throws {
        switch type {
        // The wire says account-delete, the documentation account-deleted.
        case "consent-revoked", "account-delete", "account-deleted": try await end(record, once, visitor)
        case "email-disabled": try await note(.providerEmailDisabled, record, once, visitor)
        case "email-enabled": try await note(.providerEmailEnabled, record, once, visitor)
        default: break
        }
    }

    private func end(_ record: IdentityRecord, _ once: Once, _ visitor: Visitor) async throws {
        let event = audit.event(.identityUnlinked, accountID: record.account.id, visitor: visitor)
        let label = providers.label(record.identity.provider)
        try await store.revokeIdentity(
            id: record.identity.id, once: once,
            notice: try mailer.mail(.identityRemoved, to: record.account, ["provider": label]), event: event
        )
        mailer.wake()
        audit.log(event, visitor: visitor)
    }

    private func note(
        _ kind: SecurityEvent.Kind, _ record: IdentityRecord, _ once: Once, _ visitor: Visitor
    ) async throws {
        let event = audit.event(kind, accountID: record.account.id, visitor: visitor)
        try await store.note(event, once: once)
        audit.log(event, visitor: visitor)
    }
}

extension SecurityEvent.Kind {
    /// The provider's relay does not pass mails on any more.
    static let providerEmailDisabled = Self("provider_email_disabled", log: "user_email_relay_changed")
    /// The provider's relay passes mails on again.
    static let providerEmailEnabled = Self("provider_email_enabled", log: "user_email_relay_changed")
}

/// The store's part of Apple's notifications, each of which counts once.
package protocol AppleNotificationStore: Sendable {
    /// The provider has ended the identity: it is removed, every session of its account ends, the
    /// notice is queued. Throws `UsedBefore`.
    func revokeIdentity(id: String, once: Once, notice: QueuedMail, event: SecurityEvent) async throws
    /// Keeps an event about an account. Throws `UsedBefore`.
    func note(_ event: SecurityEvent, once: Once) async throws
}

/// What Apple tells us of an identity, as it is written: signed like an ID token, the events a text
/// of JSON inside it.
struct AppleNotification: JWTPayload {
    /// What happened, and to whom.
    struct Event: Decodable, Sendable {
        let type: String
        let sub: String
        /// When it happened; nil if that is missing or no number.
        let at: Date?

        private enum CodingKeys: String, CodingKey {
            case type, sub
            case at = "event_time"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = try container.decode(String.self, forKey: .type)
            sub = try container.decode(String.self, forKey: .sub)
            // The wire has milliseconds, the documentation seconds.
            let time = try? container.decode(Double.self, forKey: .at)
            at = time.map { Date(timeIntervalSince1970: $0 < 100_000_000_000 ? $0 : $0 / 1000) }
        }
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
