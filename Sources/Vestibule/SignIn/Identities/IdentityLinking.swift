import Essentials
import Foundation

/// Adding a way to sign in to an account; its owner hears of it.
struct IdentityLinking: Sendable {
    let store: any IdentityStore
    let providers: Providers
    let mailer: Mailer
    let audit: Audit
    let limits: RateLimits
    let key: SecretKey

    /// Adds to the account of that session. Returns false when the identity belongs to another
    /// account; adding twice does nothing. Throws `Superseded` when the session has ended,
    /// `ProviderFault` for an answer used before, and `Refusal.limited`.
    func add(_ pending: PendingIdentity, to record: SessionRecord, visitor: Visitor) async throws -> Bool {
        let account = record.account
        if let known = try await store.identity(issuer: pending.issuer, subject: pending.subject) {
            return known.account.id == account.id
        }
        try await limits.take(
            .identityAddition, LimitSubject(client: visitor.client, account: account.id), now: audit.now())
        let event = audit.event(.identityLinked, accountID: account.id, visitor: visitor)
        let identity = try pending.linked(id: audit.random.id(), to: account.id, at: audit.now(), key)
        let values = ["provider": providers.label(pending.provider)]
        let notice = try mailer.mail(.identityAdded, to: account, values, by: visitor)
        let isAdded = try await pending.using { once in
            try await store.link(identity, by: record.presented, once: once, notice: notice, event: event)
        }
        guard isAdded else { return false }
        mailer.wake()
        audit.log(event, visitor: visitor)
        return true
    }
}

extension MailContent.Kind {
    static let identityAdded = Self("identity-added")
    static let identityRemoved = Self("identity-removed")
}

/// What a link that begins a round trip to a provider is marked for, so that only a page of that
/// session can hold it.
enum ProviderLink {
    static func adding(_ provider: String) -> String { "add \(provider)" }

    static func proving(_ provider: String) -> String { "prove \(provider)" }
}
