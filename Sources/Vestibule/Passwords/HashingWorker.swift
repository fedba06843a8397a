import Foundation

/// A thread that does nothing but hash, in memory of its own, until the queue is stopped. What hashes leave there is
/// wiped when none follows.
package enum HashingWorker {
    /// Linux nice value: pages are served by threads at 0, so they stay quick while logins flood.
    private static let niceness: Int32 = 10

    package static func start(_ number: Int, queue: HashingQueue, memoryBytes: Int) {
        let thread = Thread {
            // On Linux a "process" of setpriority is one thread, and 0 the calling one.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            KeptMemory.keep(bytes: memoryBytes)
            work(queue)
        }
        thread.name = "hashing-\(number)"
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
