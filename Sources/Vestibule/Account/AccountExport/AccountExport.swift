package import Essentials
package import Foundation

/// Everything held about an account, as its owner gets it: one JSON object, documented in
/// docs/export.md.
package struct AccountExport: Sendable {
    package let account: AccountFacts
    package let sessions: [SessionFacts]
    package let consents: [ConsentFacts]
    package let securityEvents: [EventFacts]
    package let pendingEmailChange: PendingEmailFacts?
    package let formerEmails: [FormerEmailFacts]
    package let identities: [IdentityFacts]
    let factors: AccountFactors

    package struct AccountFacts: Sendable, Encodable {
        let id: AccountID
        let email, displayName, locale: String
        let termsVersion: String?
        let groups: [String]
        let hasPassword: Bool
        let passwordSetAt, passwordLastUsedAt: Date?
        let createdAt: Date
        let verifiedAt: Date?

        package init(_ account: Account, password: PasswordTimes?) {
            id = account.id
            email = account.email.typed
            displayName = account.displayName
            locale = account.locale
            termsVersion = account.termsVersion
            groups = account.groups
            hasPassword = password != nil
            passwordSetAt = password?.setAt
            passwordLastUsedAt = password?.lastUsedAt
            createdAt = account.createdAt
            verifiedAt = account.verifiedAt
        }
    }

    package struct SessionFacts: Sendable, Encodable {
        let id: SessionID
        let createdAt, lastSeenAt, expiresAt: Date
        let remembered: Bool
        let userAgent, address: String
        /// Origins of the applications it has entered.
        let applications: [String]

        package init(_ session: Session, applications: [String]) {
            id = session.id
            createdAt = session.createdAt
            lastSeenAt = session.lastSeenAt
            expiresAt = session.expiresAt
            remembered = session.remembered
            userAgent = session.userAgent
            address = session.address.text
            self.applications = applications
        }
    }

    package struct ConsentFacts: Sendable, Encodable {
        let version, textSha256, locale, address: String
        let acceptedAt: Date

        package init(_ consent: Consent) {
            version = consent.version
            textSha256 = Hex.text(consent.textDigest)
            locale = consent.locale
            address = consent.address.text
            acceptedAt = consent.acceptedAt
        }
    }

    package struct EventFacts: Sendable, Encodable {
        let kind: String
        let at: Date
        let address, userAgent: String
        let count: Int

        package init(kind: String, at: Date, address: String, userAgent: String, count: Int) {
            self.count = count
            self.kind = kind
            self.at = at
            self.address = address
            self.userAgent = userAgent
        }
    }

    package struct PendingEmailFacts: Sendable, Encodable {
        let email: String
        let expiresAt: Date

        package init(email: String, expiresAt: Date) {
            self.email = email
            self.expiresAt = expiresAt
        }
    }

    package struct FormerEmailFacts: Sendable, Encodable {
        let email: String
        let changedAt, restorableUntil: Date

        package init(email: String, changedAt: Date, restorableUntil: Date) {
            self.email = email
            self.changedAt = changedAt
            self.restorableUntil = restorableUntil
        }
    }

    package struct IdentityFacts: Sendable, Encodable {
        let provider, issuer, subject: String
        let email: String?
        let createdAt: Date
        let lastUsedAt: Date?

        package init(_ identity: Identity) {
            provider = identity.provider
            issuer = identity.issuer
            subject = identity.subject
            email = identity.email
            createdAt = identity.createdAt
            lastUsedAt = identity.lastUsedAt
        }
    }

    package init(
        account: AccountFacts, sessions: [SessionFacts], consents: [ConsentFacts], securityEvents: [EventFacts],
        pendingEmailChange: PendingEmailFacts?, formerEmails: [FormerEmailFacts],
        identities: [IdentityFacts], factors: AccountFactors
    ) {
        self.account = account
        self.sessions = sessions
        self.consents = consents
        self.securityEvents = securityEvents
        self.pendingEmailChange = pendingEmailChange
        self.formerEmails = formerEmails
        self.identities = identities
        self.factors = factors
    }

    /// As a file: keys in snake case and in order, moments in ISO 8601 and UTC. `factors` is what
    /// their kinds say of them.
    package func json(at now: Date, factors: JSONObject) throws -> Data {
        let file: JSONObject = [
            "exported_at": now, "account": account, "sessions": sessions, "consents": consents,
            "security_events": securityEvents, "pending_email_change": pendingEmailChange,
            "former_emails": formerEmails, "identities": identities, "factors": factors,
        ]
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(file)
    }
}

/// The store's part of the export.
package protocol AccountExportStore: Sendable {
    /// Everything held about the account; `nil` when there is none.
    func export(accountID: AccountID, now: Date) async throws -> AccountExport?
    /// Notes that the account was exported.
    func noteExport(by session: PresentedSession, event: SecurityEvent) async throws
}
