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

    /// Mails that wait or have failed, to one address or to all, newest first, from the one after
    /// `position` on.
    package func list(
        to email: EmailAddress? = nil, after position: OutboxPosition?, limit: Int
    ) async throws -> [Entry] {
        let recipients = email.map { MailContent.recipients($0, key) }
        return try await store.outboxEntries(to: recipients, after: position, onlyFailed: false, limit: limit)
            .map(opened)
    }

    /// How many of the newest hundred cannot be opened with the keys in force.
    package func unreadable() async throws -> Int {
        try await list(after: nil, limit: 100).count { $0.kind == nil }
    }

    /// Makes a mail due now, as if never tried.
    package func retry(id: String) async throws -> Retry {
        guard let entry = try await store.outboxEntry(id: id).map(opened) else { return .unknown }
        if entry.kind == nil { return .unreadable }
        if entry.isStale { return .stale }
        return try await store.retryMails(ids: [id], now: now()) == 1 ? .due : .sending
    }

    /// Makes every failed mail due that is still of use, or those that wait, too; returns how many
    /// are due, and how many are of no use any more.
    package func retryAll(onlyFailed: Bool) async throws -> (due: Int, useless: Int) {
        var (due, useless) = (0, 0)
        var position: OutboxPosition?
        while true {
            let found = try await store.outboxEntries(
                to: nil, after: position, onlyFailed: onlyFailed, limit: Self.page)
            guard let last = found.last else { return (due, useless) }
            let useful = found.map(opened).filter { $0.kind != nil && !$0.isStale }
            due += try await store.retryMails(ids: useful.map(\.entry.mail.id), now: now())
            useless += found.count - useful.count
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

/// A mail in the outbox with what has come of it so far.
package struct OutboxEntry: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case waiting(nextTry: Date)
        /// A worker has it; another may take it then.
        case sending(until: Date)
        /// Never again by itself.
        case failed
    }

    package let mail: QueuedMail
    package let state: State
    /// Why the last try failed.
    package let reason: String?

    package init(mail: QueuedMail, state: State, reason: String?) {
        self.mail = mail
        self.state = state
        self.reason = reason
    }

    package var position: OutboxPosition { OutboxPosition(createdAt: mail.createdAt, id: mail.id) }
}

/// Where a listing of mails goes on: written as milliseconds since 1970, a dot, and the id.
package struct OutboxPosition: Sendable, Equatable {
    package let createdAt: Date
    package let id: String

    package init(createdAt: Date, id: String) {
        self.createdAt = createdAt
        self.id = id
    }

    /// Milliseconds since 1970, up to the year 9999.
    private static let moments: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Reads `text`; `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.parts(by: ".", atMost: 2)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), Self.moments.contains(milliseconds),
            !parts[1].isEmpty
        else { return nil }
        self.init(createdAt: Date(timeIntervalSince1970: Double(milliseconds) / 1000), id: String(parts[1]))
    }

    package var text: String { "\(Int64((createdAt.timeIntervalSince1970 * 1000).rounded())).\(id)" }
}
