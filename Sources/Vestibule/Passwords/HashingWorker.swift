import Foundation

/// Threads that hash, each in memory of its own, which goes with the thread.
package enum HashingWorker {
    /// Linux nice value: pages are served by threads at 0, so they stay quick while logins flood.
    private static let niceness: Int32 = 10

    /// Hashes until the queue is stopped. What hashes leave in memory is wiped when none follows.
    package static func start(_ number: Int, queue: HashingQueue, memoryBytes: Int) {
        startThread("hashing-\(number)", memoryBytes: memoryBytes) { work(queue) }
    }

    /// Does something with hashes once.
    static func startThread(_ name: String, memoryBytes: Int, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            // On Linux a "process" of setpriority is one thread, and 0 the calling one.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            KeptMemory.keep(bytes: memoryBytes)
            work()
        }
        thread.name = name
        thread.start()
    }

    private static func work(_ queue: HashingQueue) {
        while let job = queue.next(whenIdle: KeptMemory.wipePiece) {
            let start = ContinuousClock.now
            let announcement = job.run()
            queue.finished(announcement, in: .now - start)
        }
    }
}
