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
    }

    /// What an assertion says of a person.
    struct Facts: Sendable, Equatable {
        let account: Account
        let provedAt: Date
        let provedBy: Session.Proof
    }

    private struct Entry: Sendable {
        let text: String
        let facts: Facts?
        let signedAt: Date
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
    func text(_ key: Key, _ facts: Facts?, at now: Date) -> String? {
        let entry = halves.withLock { $0.younger[key] ?? $0.older[key] }
        guard let entry, entry.facts == facts,
            (0..<Self.usedFor).contains(now.timeIntervalSince(entry.signedAt))
        else { return nil }
        return entry.text
    }

    func keep(_ text: String, for key: Key, _ facts: Facts?, at now: Date) {
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
            halves.younger[key] = Entry(text: text, facts: facts, signedAt: now)
        }
        _ = old
    }
}
