import Crypto
import Essentials
import Foundation

/// Does what Apple's notifications ask for: an identity that has ended there ends here.
struct AppleNotifications: Sendable {
    let provider: Provider
    let store: any IdentityStore & AppleNotificationStore
    let providers: Providers
    let mailer: Mailer
    let audit: Audit
    let now: @Sendable () -> Date

    /// Throws `ProviderFault` for what must not be believed. Does nothing for one that was
    /// seen before, or that tells of an unknown identity.
    func receive(_ payload: String, visitor: Visitor) async throws {
        let now = now()
        let (notification, _) = try await provider.signed(payload, AppleNotification.self, now: now)
        let event = try notification.event(provider.settings, now: now)
        let digest = TokenDigest(bytes: [UInt8](SHA256.hash(data: Array("notification \(notification.jti)".utf8))))
        let once = Once(digest: digest, until: notification.usableUntil)
        let record = try await store.identity(issuer: provider.settings.issuer, subject: event.sub)
        guard let record else { return }
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
