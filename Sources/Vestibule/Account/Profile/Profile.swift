import Foundation

/// The name a person wants to be called.
struct Profile: Sendable {
    let store: any ProfileStore
    let limits: RateLimits
    let audit: Audit
    let now: @Sendable () -> Date

    /// Sets it. Returns it as it is kept; throws `Refusal` for text that is not a name, and
    /// `.limited`.
    func rename(_ record: SessionRecord, to typed: String, visitor: Visitor) async throws -> DisplayName {
        let name = try DisplayName(typed)
        let subject = LimitSubject(client: visitor.client, email: record.account.email)
        try await limits.take(.rename, subject, now: now())
        let event = audit.event(.profileChanged, accountID: record.accountID, visitor: visitor)
        try await store.rename(to: name.text, by: record.presented, event: event)
        audit.log(event, visitor: visitor)
        return name
    }
}

extension SecurityEvent.Kind {
    static let profileChanged = Self("profile_changed", log: "user_updated")
}

/// The store's part of the profile.
package protocol ProfileStore: Sendable {
    /// Sets the name a person wants to be called. Throws `Superseded`.
    func rename(to displayName: String, by session: PresentedSession, event: SecurityEvent) async throws
}
