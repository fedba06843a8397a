import Dispatch
import Synchronization

/// The jobs between those who wait and the worker threads: bounded, fair between clients, stopped
/// once.
///
/// While jobs wait in line, results are announced a few at a time. Argon2 empties the processor's
/// caches, and what follows a hash (a transaction, an answer, the next request) costs three times
/// as much in cold ones; several in a row pay that once.
final class HashingQueue: Sendable {
    private struct State {
        var line: PriorityQueue<HashingJob>
        var nextID: UInt64 = 0
        var isStopped = false
        var secondsPerJob = 0.05
        var announcements: [HashingJob.Announcement] = []

        /// What is to be announced now: everything, or nothing yet.
        mutating func dueAnnouncements() -> [HashingJob.Announcement] {
            guard line.count == 0 || announcements.count >= HashingQueue.announcedAtOnce else { return [] }
            defer { announcements = [] }
            return announcements
        }
    }

    private let state: Mutex<State>
    private let arrivals = DispatchSemaphore(value: 0)
    private let threads: Int
    /// The first of them waits for two more hashes, less than it has waited in the line; measured
    /// best of 1 to 5.
    static let announcedAtOnce = 3
    /// After so long without a job a thread is idle.
    private static let patience = DispatchTimeInterval.milliseconds(KeptMemory.patienceMilliseconds)

    init(threads: Int, limit: Int) {
        self.threads = threads
        state = Mutex(State(line: PriorityQueue(limit: limit)))
    }

    /// How many wait.
    var count: Int { state.withLock { $0.line.count } }

    /// A number no other job has.
    func newID() -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }

    /// Queues the job, one of a known browser before most others; it, or the one it displaces,
    /// fails with `HashingBusy` when the queue is full.
    func add(_ job: HashingJob, client: String, isKnown: Bool = false) {
        let (isNew, failed, reason) = state.withLock { state in decide(job, client, isKnown, &state) }
        // Resuming a waiting task is not done under the lock.
        failed?.fail(reason)
        if isNew { arrivals.signal() }
    }

    /// Fails the job with `CancellationError` if it still waits.
    func cancel(_ id: UInt64, client: String) {
        state.withLock { $0.line.remove(client: client) { $0.id == id } }?.fail(CancellationError())
    }

    /// Waits for the next job; `nil` once the queue is stopped. When none came for a while, it
    /// calls `whenIdle` until that returns false or a job comes.
    func next(whenIdle: () -> Bool = { false }) -> HashingJob? {
        var patience = Self.patience
        var hasIdleWork = true
        while true {
            while hasIdleWork, arrivals.wait(timeout: .now() + patience) == .timedOut {
                hasIdleWork = whenIdle()
                patience = .seconds(0)
            }
            if !hasIdleWork { arrivals.wait() }
            let (job, isStopped, due) = state.withLock { state in
                (state.line.next(), state.isStopped, state.dueAnnouncements())
            }
            due.forEach { $0() }
            if job != nil || isStopped { return job }
        }
    }

    /// Notes how long a job took, for `Retry-After`, and announces its result: at once when nobody
    /// waits in line, else together with the next.
    func finished(_ announcement: @escaping HashingJob.Announcement, in duration: Duration) {
        let due = state.withLock { state in
            state.secondsPerJob += (duration / .seconds(1) - state.secondsPerJob) / 8
            state.announcements.append(announcement)
            return state.dueAnnouncements()
        }
        due.forEach { $0() }
    }

    /// Fails every waiting job with `HashingStopped` and lets the threads go.
    func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            return state.line.removeAll()
        }
        for job in waiting { job.fail(HashingStopped()) }
        for _ in 0..<threads { arrivals.signal() }
    }

    private func decide(
        _ job: HashingJob, _ client: String, _ isKnown: Bool, _ state: inout State
    ) -> (isNew: Bool, failed: HashingJob?, reason: any Error) {
        if state.isStopped { return (false, job, HashingStopped()) }
        let seconds = Double(state.line.count) * state.secondsPerJob / Double(threads)
        let busy = HashingBusy(retryAfterSeconds: max(1, Int(seconds.rounded(.up))))
        return switch state.line.join(job, client: client, isKnown: isKnown) {
        case .joined: (true, nil, busy)
        case .displaced(let other): (false, other, busy)
        case .refused: (false, job, busy)
        }
    }
}
