import Foundation
import JWTKit

/// The keys that were read last. They are read again when they are an hour old, and for an id that
/// is not among them, but at most once a minute. An assertion never says where.
actor KeyCache {
    private let source: KeySource
    private let now: @Sendable () -> Date
    private var keys: [String: any JWTAlgorithm]?
    private var readAt = Date.distantPast
    private var triedAt = Date.distantPast
    private var trouble: String?
    private var reading: Task<Void, Never>?
    // In seconds. A key that was replaced is published for a day.
    private static let (minute, hour, day) = (60.0, 3600.0, 86_400.0)

    init(source: KeySource, now: @escaping @Sendable () -> Date) {
        (self.source, self.now) = (source, now)
    }

    /// The key with this id.
    func key(_ id: String) async throws(AssertionError) -> any JWTAlgorithm {
        if known(id) == nil { await readAgain()?.value } else if isPast(Self.hour, since: readAt) { _ = readAgain() }
        if let key = known(id) { return key }
        if let trouble { throw .keysUnavailable(trouble) }
        throw .refused("It names a key that the sign-in does not publish.")
    }

    private func known(_ id: String) -> (any JWTAlgorithm)? {
        isPast(Self.day, since: readAt) ? nil : keys?[id]
    }

    /// The reading under way, or a new one; nil if the last one was too lately.
    private func readAgain() -> Task<Void, Never>? {
        // At a start the sign-in may be a second later than the application.
        guard reading == nil, isPast(keys == nil ? 1 : Self.minute, since: triedAt) else { return reading }
        triedAt = now()
        let task = Task { await read() }
        reading = task
        return task
    }

    private func read() async {
        do {
            keys = try await KeySet(source.read()).keys
            (readAt, trouble) = (now(), nil)
        } catch {
            trouble = "The keys of the sign-in cannot be read: \(error)"
        }
        reading = nil
    }

    /// A clock that was set back counts as past.
    private func isPast(_ seconds: TimeInterval, since date: Date) -> Bool {
        !(0..<seconds).contains(now().timeIntervalSince(date))
    }
}
