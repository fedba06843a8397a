import Foundation

/// The name a person wants to be called, and the language of the mails to them.
struct Profile: Sendable {
    let store: any ProfileStore
    let limits: RateLimits
    let audit: Audit

    /// Sets it. Returns it as it is kept; throws `Refusal` for text that is not a name, and
    /// `.limited`.
    func rename(_ record: SessionRecord, to typed: String, visitor: Visitor) async throws -> DisplayName {
        let name = try DisplayName(typed)
        try await change(.profileChanged, record, visitor) { event in
            try await store.rename(to: name.text, by: record.presented, event: event)
        }
        return name
    }

    /// From now on mails are in the language that the visitor sees. Throws `Refusal.limited`.
    func sendMailsInOwnLanguage(_ record: SessionRecord, visitor: Visitor) async throws {
        try await change(.mailLanguageChanged, record, visitor) { event in
            try await store.setLocale(visitor.locale, by: record.presented, event: event)
        }
    }

    private func change(
        _ kind: SecurityEvent.Kind, _ record: SessionRecord, _ visitor: Visitor,
        _ write: (SecurityEvent) async throws -> Void
    ) async throws {
        let subject = LimitSubject(client: visitor.client, account: record.accountID)
        try await limits.take(.rename, subject, now: audit.now())
        let event = audit.event(kind, accountID: record.accountID, visitor: visitor)
        try await write(event)
        audit.log(event, visitor: visitor)
    }
}

extension SecurityEvent.Kind {
    static let profileChanged = Self("profile_changed", log: "user_updated")
    static let mailLanguageChanged = Self("mail_language_changed", log: "user_updated")
}

/// The store's part of the profile.
package protocol ProfileStore: Sendable {
    /// Sets the name a person wants to be called. Throws `Superseded`.
    func rename(to displayName: String, by session: PresentedSession, event: SecurityEvent) async throws
    /// Sets the language of mails. Throws `Superseded`.
    func setLocale(_ locale: String, by session: PresentedSession, event: SecurityEvent) async throws
}
