package import Essentials
package import Foundation

/// A security event and the address of its account, if there still is one.
package struct AuditEntry: Sendable, Equatable {
    package let event: SecurityEvent
    package let email: String?

    package init(event: SecurityEvent, email: String?) {
        self.event = event
        self.email = email
    }
}

/// Follows the security events, each once, oldest first: also those that are committed later than
/// they happened. A sum is told again when it has grown.
package struct EventTail: Sendable {
    private let store: any AdministrationStore
    private let accountID: AccountID?
    private let kind: String?
    private var seen: [String: (at: Date, count: Int)] = [:]
    private var askedAt: Date
    /// Longer than a write may wait for its turn.
    private static let latest: TimeInterval = 15

    /// Of one account, or of all; of one kind, or of every kind.
    package init(store: any AdministrationStore, accountID: AccountID?, kind: String? = nil, now: Date) {
        (self.store, self.accountID, self.kind) = (store, accountID, kind)
        askedAt = now
    }

    /// The last events before following.
    package mutating func last(_ limit: Int) async throws -> [AuditEntry] {
        // In this order: what comes in between is new, and told by `next`.
        note(try await store.events(since: horizon, accountID: accountID))
        let entries = try await store.latestEvents(accountID: accountID, kind: kind, limit: limit)
        note(entries)
        return entries.reversed()
    }

    /// What is new since it was last asked.
    package mutating func next(now: Date) async throws -> [AuditEntry] {
        let fresh = try await store.events(since: horizon, accountID: accountID)
            .filter { seen[$0.event.id]?.count != $0.event.count && [nil, $0.event.kind.name].contains(kind) }
        note(fresh)
        askedAt = now
        seen = seen.filter { $0.value.at >= horizon }
        return fresh
    }

    private var horizon: Date { askedAt.addingTimeInterval(-Self.latest) }

    private mutating func note(_ entries: [AuditEntry]) {
        for entry in entries { seen[entry.event.id] = (entry.event.at, entry.event.count) }
    }
}
