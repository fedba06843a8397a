import Essentials
import Foundation

/// Adding a way to sign in to an account; its owner hears of it.
struct IdentityLinking: Sendable {
    let store: any IdentityStore
    let providers: Providers
    let changes: FactorChanges
    let key: SecretKey

    /// What became of an identity that was to be added.
    enum Outcome: Sendable {
        /// With the session's new token; nil when the account had the identity already.
        case linked(Token?)
        /// It is another account's.
        case elsewhere
    }

    /// Adds to the account of that session. Throws `Superseded` when the session has ended,
    /// `ProviderFault` for an answer used before, and `Refusal.limited`.
    func add(_ pending: PendingIdentity, to record: SessionRecord, visitor: Visitor) async throws -> Outcome {
        let account = record.account
        if let known = try await store.identity(issuer: pending.issuer, subject: pending.subject) {
            return known.account.id == account.id ? .linked(nil) : .elsewhere
        }
        try await changes.admit(.identityAddition, to: record, visitor: visitor)
        let (token, change) = try changes.prepare(
            .init(mail: .identityAdded, event: .identityLinked), record,
            ["provider": providers.label(pending.provider)], visitor: visitor)
        let identity = try pending.linked(id: changes.audit.random.id(), to: account.id, at: change.event.at, key)
        let isAdded = try await pending.using { once in
            try await store.link(identity, by: record.presented, once: once, change)
        }
        guard isAdded else { return .elsewhere }
        changes.made(change, visitor: visitor)
        return .linked(token)
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
