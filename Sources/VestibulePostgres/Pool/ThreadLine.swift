import Essentials
import NIOPosix
import Synchronization
import Vestibule

/// Threads that may wait for a server, and the line of those who wait for a thread. Who comes when
/// too many wait, waits too long, or has a deadline that is over gets `StoreUnavailable`.
final class ThreadLine: Sendable {
    private struct State {
        /// Work that no thread has begun.
        var waiting = 0
        /// Work that a thread has begun.
        var running = 0
        /// Who waits, the first to come first, and some whose work has begun since.
        var places: [Place] = []
        var isSwept = false
    }

    private let threads: NIOThreadPool
    private let count: Int
    private let state = Mutex(State())
    private static let mostWaitingForOne = 64
    /// Longest wait for a thread.
    private static let longestWait: Duration = .seconds(5)
    /// How often the line is looked through for those who waited too long.
    private static let sweepPause: Duration = .milliseconds(100)

    /// Starts that many threads.
    init(threads count: Int) {
        self.count = count
        threads = NIOThreadPool(numberOfThreads: count)
        threads.start()
    }

    /// Works on a thread, which has the deadline of the caller.
    func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let deadline = Deadline.current
        let isBusy = try join()
        return try await withCheckedThrowingContinuation { continuation in
            let place = Place(longest: Self.longestWait) { continuation.resume(throwing: $0) }
            if isBusy { keep(place) }
            threads.submit { [self] threadState in
                guard place.leave() else { return }
                state.withLock { ($0.waiting, $0.running) = ($0.waiting - 1, $0.running + 1) }
                defer { state.withLock { $0.running -= 1 } }
                guard case .active = threadState else { return continuation.resume(throwing: CancellationError()) }
                continuation.resume(with: Result { try Deadline.$current.withValue(deadline, operation: work) })
            }
        }
    }

    /// Waits for what is running.
    func close() throws {
        try threads.syncShutdownGracefully()
    }

    /// Returns whether no thread is free.
    private func join() throws -> Bool {
        guard !Deadline.isOver else { throw StoreUnavailable.deadline }
        let isBusy: Bool? = state.withLock { state in
            guard state.waiting < count * Self.mostWaitingForOne else { return nil }
            defer { state.waiting += 1 }
            return state.waiting + state.running >= count
        }
        guard let isBusy else { throw StoreUnavailable("too many requests wait for the database") }
        return isBusy
    }

    private func keep(_ place: Place) {
        let isFirst = state.withLock { state in
            state.places.append(place)
            defer { state.isSwept = true }
            return !state.isSwept
        }
        guard isFirst else { return }
        // Serves all who wait, not only the one who came first. The threads' own line cannot be
        // left, and nobody tells when a wait is over.
        Task.detached { [self] in
            repeat { try await Task.sleep(for: Self.sweepPause) } while sweep()
        }
    }

    /// Tells those who waited too long. Returns false when nobody waits.
    private func sweep() -> Bool {
        let now = ContinuousClock.now
        let places = state.withLock { state in
            state.places.removeAll { $0.isLeft }
            state.isSwept = !state.places.isEmpty
            return state.places
        }
        let gone = places.count { $0.until <= now && $0.giveUp() }
        state.withLock { $0.waiting -= gone }
        return !places.isEmpty
    }
}

/// Somebody who waits for a thread.
private final class Place: Sendable {
    /// How long.
    let until: ContinuousClock.Instant
    private let refuse: @Sendable () -> Void
    private let isOver = Mutex(false)

    /// Waits that long, or until the deadline; then `refuse` is told why.
    init(longest: Duration, _ refuse: @escaping @Sendable (StoreUnavailable) -> Void) {
        let end = ContinuousClock.now + longest
        let until = Deadline.before(end)
        self.until = until
        self.refuse = {
            refuse(
                until < end ? .deadline : StoreUnavailable("the database is too slow: no connection was free in time"))
        }
    }

    /// Whether the wait is over.
    var isLeft: Bool { isOver.withLock { $0 } }

    /// Ends the wait. Returns false when it was over already.
    func leave() -> Bool {
        isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
    }

    /// Refuses who waits. Returns false when the wait was over already.
    func giveUp() -> Bool {
        guard leave() else { return false }
        refuse()
        return true
    }
}
