package import Essentials
package import Foundation

/// The outbox in the operator's hands: what waits, what has failed and why, and another try.
package struct MailQueue: Sendable {
    private let store: any AdministrationStore
    private let key: SecretKey
    private let now: @Sendable () -> Date
    private static let page = 500

    /// A mail as the operator sees it: whom it is for only masked, never what it says.
    package struct Entry: Sendable, Equatable {
        package let entry: OutboxEntry
        /// `nil` when it cannot be opened with the keys in force.
        package let kind: MailContent.Kind?
        package let maskedRecipient: String?
        /// Whether what it offers has expired.
        let isStale: Bool
    }

    /// What came of asking for another try.
    package enum Retry: Sendable, Equatable {
        case due, sending, stale, unreadable, unknown
    }

    package init(store: any AdministrationStore, key: SecretKey, now: @escaping @Sendable () -> Date = { Date() }) {
        self.store = store
        self.key = key
        self.now = now
    }

    /// Mails that wait or have failed, newest first, from the one after `position` on.
    package func list(after position: OutboxPosition?, limit: Int) async throws -> [Entry] {
        try await store.outboxEntries(after: position, onlyFailed: false, limit: limit).map(opened)
    }

    /// Makes a mail due now, as if never tried.
    package func retry(id: String) async throws -> Retry {
        guard let entry = try await store.outboxEntry(id: id).map(opened) else { return .unknown }
        if entry.kind == nil { return .unreadable }
        if entry.isStale { return .stale }
        return try await store.retryMails(ids: [id], now: now()) == 1 ? .due : .sending
    }

    /// Makes every failed mail due that is still of use; returns how many are due, and how many are
    /// of no use any more.
    package func retryFailed() async throws -> (due: Int, useless: Int) {
        var (due, useless) = (0, 0)
        var position: OutboxPosition?
        while true {
            let failed = try await store.outboxEntries(after: position, onlyFailed: true, limit: Self.page)
            guard let last = failed.last else { return (due, useless) }
            let useful = failed.map(opened).filter { $0.kind != nil && !$0.isStale }
            due += try await store.retryMails(ids: useful.map(\.entry.mail.id), now: now())
            useless += failed.count - useful.count
            position = last.position
        }
    }

    private func opened(_ entry: OutboxEntry) -> Entry {
        let content = try? entry.mail.content(key: key)
        let usefulUntil = content.flatMap(entry.mail.usefulUntil)
        return Entry(
            entry: entry, kind: content?.kind, maskedRecipient: content.flatMap { EmailAddress($0.to)?.masked },
            isStale: usefulUntil.map { $0 < now() } ?? false
        )
    }
}
