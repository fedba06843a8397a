import Bytes

/// Threads that hash, each in memory of its own, which goes with the thread.
enum HashingWorker {
    /// Hashes until the queue is stopped. What hashes leave in memory is wiped when none follows:
    /// `whenIdle` wipes a piece of it and returns whether there is more.
    static func start(
        _ number: Int, queue: HashingQueue, memoryBytes: Int,
        whenIdle: @escaping @Sendable () -> Bool = KeptMemory.wipePiece
    ) {
        startThread("hashing-\(number)", memoryBytes: memoryBytes) { work(queue, whenIdle) }
    }

    /// Does something with hashes once.
    static func startThread(_ name: String, memoryBytes: Int, _ work: @escaping @Sendable () -> Void) {
        BackgroundThread.start(name) {
            KeptMemory.keep(bytes: memoryBytes)
            work()
        }
    }

    private static func work(_ queue: HashingQueue, _ whenIdle: () -> Bool) {
        while let job = queue.next(whenIdle: whenIdle) {
            let start = ContinuousClock.now
            let announcement = job.run()
            queue.finished(announcement, in: .now - start)
            KeptMemory.wipeIfUnused()
        }
    }
}
