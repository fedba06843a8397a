import Essentials
import Foundation
import Synchronization

/// The assertions signed lately. Bounded: the older half goes when the younger is full or old.
final class AssertionCache: Sendable {
    /// Who an assertion is about, and for which application.
    struct Key: Sendable, Hashable {
        /// Of a session or of a machine token.
        let id: String
        let audience: Origin

        /// An id is used at few origins.
        func hash(into hasher: inout Hasher) {
            hasher.combine(id)
        }
    }

    /// Shared, as copies of all that a record holds would be felt in every verdict.
    private final class Entry: Sendable {
        let text: String
        /// Whom it is about; nil for a machine.
        let record: SessionRecord?
        let signedAt: Date

        init(_ text: String, _ record: SessionRecord?, _ signedAt: Date) {
            (self.text, self.record, self.signedAt) = (text, record, signedAt)
        }

        /// Whether an assertion about that record would say the same.
        func says(_ other: SessionRecord?) -> Bool {
            guard let record, let other else { return record == nil && other == nil }
            return record.account == other.account && record.session.proof == other.session.proof
        }
    }

    private struct Halves {
        var younger: [Key: Entry] = [:]
        var older: [Key: Entry] = [:]
        var youngerSince = Date.distantPast
    }

    private let halves = Mutex(Halves())
    /// In seconds.
    private static let usedFor: TimeInterval = 30
    private static let mostInHalf = 8192

    /// An assertion that was signed in the last 30 seconds and says the same. Nil if there is none.
    func text(_ key: Key, _ record: SessionRecord?, at now: Date) -> String? {
        let entry = halves.withLock { $0.younger[key] ?? $0.older[key] }
        guard let entry, entry.says(record),
            (0..<Self.usedFor).contains(now.timeIntervalSince(entry.signedAt))
        else { return nil }
        return entry.text
    }

    func keep(_ text: String, for key: Key, _ record: SessionRecord?, at now: Date) {
        // Freed after the lock.
        var old: [Key: Entry] = [:]
        halves.withLock { halves in
            let age = now.timeIntervalSince(halves.youngerSince)
            if halves.younger.count >= Self.mostInHalf || !(0..<Self.usedFor).contains(age) {
                old = halves.older
                halves.older = halves.younger
                halves.younger = [:]
                halves.youngerSince = now
            }
            halves.younger[key] = Entry(text, record, now)
        }
        _ = old
    }
}

extension AssertionCache.Key {
    init(_ record: SessionRecord, _ audience: Origin) {
        self.init(id: record.session.id.rawValue, audience: audience)
    }
}
