import Synchronization

/// Counts the sessions that have said QUIT and are not closed. Each is a thread and a connection,
/// so there are few, however slow the server is.
final class ClosingSessions: Sendable {
    private static let most = 16
    private let count = Mutex(0)

    /// Returns false when there are as many as there may be.
    func begin() -> Bool {
        count.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
    }

    func end() {
        count.withLock { $0 -= 1 }
    }
}
