import Dispatch
import Synchronization

/// The jobs between those who wait and the worker threads: bounded, fair between clients, stopped once.
package final class HashingQueue: Sendable {
    private struct State {
        var line: FairLine<HashingJob>
        var nextID: UInt64 = 0
        var isStopped = false
        var secondsPerJob = 0.05
    }

    private let state: Mutex<State>
    private let arrivals = DispatchSemaphore(value: 0)
    private let threads: Int

    package init(threads: Int, limit: Int) {
        self.threads = threads
        state = Mutex(State(line: FairLine(limit: limit)))
    }

    /// How many wait.
    package var count: Int { state.withLock { $0.line.count } }

    /// A number no other job has.
    package func newID() -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
    }

    /// Queues the job; it, or the one it displaces, fails with `HashingBusy` when the queue is full.
    package func add(_ job: HashingJob, client: String) {
        let (isNew, failed, reason) = state.withLock { state in decide(job, client, &state) }
        // Resuming a waiting task is not done under the lock.
        failed?.fail(reason)
        if isNew { arrivals.signal() }
    }

    /// Fails the job with `CancellationError` if it still waits.
    package func cancel(_ id: UInt64, client: String) {
        state.withLock { $0.line.remove(client: client) { $0.id == id } }?.fail(CancellationError())
    }

    /// Waits for the next job; `nil` once the queue is stopped.
    package func next() -> HashingJob? {
        while true {
            arrivals.wait()
            let (job, isStopped) = state.withLock { ($0.line.next(), $0.isStopped) }
            if job != nil || isStopped { return job }
        }
    }

    /// Notes how long a job took, for `Retry-After`.
    package func finished(in duration: Duration) {
        state.withLock { $0.secondsPerJob += (duration / .seconds(1) - $0.secondsPerJob) / 8 }
    }

    /// Fails every waiting job with `HashingStopped` and lets the threads go.
    package func stop() {
        let waiting = state.withLock { state in
            state.isStopped = true
            return state.line.removeAll()
        }
        for job in waiting { job.fail(HashingStopped()) }
        for _ in 0..<threads { arrivals.signal() }
    }

    private func decide(
        _ job: HashingJob, _ client: String, _ state: inout State
    ) -> (isNew: Bool, failed: HashingJob?, reason: any Error) {
        if state.isStopped { return (false, job, HashingStopped()) }
        let seconds = Double(state.line.count) * state.secondsPerJob / Double(threads)
        let busy = HashingBusy(retryAfterSeconds: max(1, Int(seconds.rounded(.up))))
        return switch state.line.join(job, client: client) {
        case .joined: (true, nil, busy)
        case .displaced(let other): (false, other, busy)
        case .refused: (false, job, busy)
        }
    }
}
