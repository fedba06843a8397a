package import Essentials
package import Foundation

/// Everything held about an account, as its owner gets it: one JSON object, documented in
/// docs/export.md.
package struct AccountExport: Sendable {
    package let account: Account
    /// With all there are of each, however old, but for events (`eventsAtMost`).
    package let overview: AccountOverview
    let pendingEmail: (email: String, expiresAt: Date)?
    /// Addresses that may still be taken back.
    let formerEmails: [(email: String, changedAt: Date, restorableUntil: Date)]
    let factors: AccountFactors
    let trusted: [TrustedBrowser]
    let seenBy: [ApplicationConsent]

    /// The newest: a program may cause hundreds of thousands, which no process should hold at once.
    package static let eventsAtMost = 20_000

    package init(
        account: Account, overview: AccountOverview, pendingEmail: (email: String, expiresAt: Date)?,
        formerEmails: [(email: String, changedAt: Date, restorableUntil: Date)], factors: AccountFactors,
        trusted: [TrustedBrowser], seenBy: [ApplicationConsent]
    ) {
        self.account = account
        self.overview = overview
        self.pendingEmail = pendingEmail
        self.formerEmails = formerEmails
        self.factors = factors
        self.trusted = trusted
        self.seenBy = seenBy
    }

    /// As a file: keys in snake case and in order, moments in ISO 8601 and UTC. `factors` is what
    /// their kinds say of them.
    package func json(at now: Date, factors: JSONObject) throws -> Data {
        let file: JSONObject = [
            "exported_at": now, "account": accountFacts, "sessions": overview.sessions.map(facts),
            "consents": overview.consents.map(facts), "security_events": overview.events.map(facts),
            "pending_email_change": pendingEmail.map { ["email": $0.email, "expires_at": $0.expiresAt] as JSONObject },
            "former_emails": formerEmails.map { former -> JSONObject in
                [
                    "email": former.email, "changed_at": former.changedAt,
                    "restorable_until": former.restorableUntil,
                ]
            },
            "pending_factor_removal": self.factors.removalDueAt.map { ["due_at": $0] as JSONObject },
            "identities": overview.identities.map(facts), "factors": factors,
            "trusted_browsers": trusted.map { ["user_agent": $0.userAgent, "until": $0.until] as JSONObject },
            "applications": seenBy.map { consent -> JSONObject in
                ["name": consent.application, "scopes": consent.scopes, "given_at": consent.givenAt]
            },
        ]
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(file)
    }

    private var accountFacts: JSONObject {
        [
            "id": account.id, "email": account.email.typed, "display_name": account.displayName,
            "locale": account.locale, "terms_version": account.termsVersion, "groups": account.groups,
            "has_password": overview.hasPassword, "password_set_at": overview.password?.setAt,
            "password_last_used_at": overview.password?.lastUsedAt, "created_at": account.createdAt,
            "verified_at": account.verifiedAt,
        ]
    }

    private func facts(_ session: Session) -> JSONObject {
        let lifetime = session.lifetime
        return [
            "id": session.id, "created_at": lifetime.createdAt, "last_seen_at": lifetime.lastSeenAt,
            "expires_at": lifetime.expiresAt, "remembered": lifetime.remembered, "user_agent": session.userAgent,
            "address": session.address.text,
            // Origins of the applications it has entered, and names of OpenID Connect clients.
            "applications": overview.enteredApplications[session.id, default: []].map { entered -> JSONObject in
                ["name": entered.name, "entered_at": entered.at]
            },
        ]
    }

    private func facts(_ consent: Consent) -> JSONObject {
        [
            "version": consent.version, "text_sha256": Hex.text(consent.textDigest), "locale": consent.locale,
            "address": consent.address.text, "accepted_at": consent.acceptedAt,
        ]
    }

    private func facts(_ event: SecurityEvent) -> JSONObject {
        [
            "kind": event.kind.name, "at": event.at, "address": event.address.text, "user_agent": event.userAgent,
            "count": event.count,
        ]
    }

    private func facts(_ identity: Identity) -> JSONObject {
        [
            "provider": identity.provider, "issuer": identity.issuer, "subject": identity.subject,
            "email": identity.email, "created_at": identity.createdAt, "last_used_at": identity.lastUsedAt,
        ]
    }
}

/// The store's part of the export.
package protocol AccountExportStore: Sendable {
    /// Everything held about the account; `nil` when there is none.
    func export(accountID: AccountID, now: Date) async throws -> AccountExport?
    /// Notes that the account was exported.
    func noteExport(by session: PresentedSession, event: SecurityEvent) async throws
}
