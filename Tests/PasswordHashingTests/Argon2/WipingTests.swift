import Synchronization
import Testing

@testable import Essentials
@testable import PasswordHashing

/// Whether the memory of a hashing thread is empty when a hash begins there.
@Suite("Wiping", .serialized)
struct WipingTests {
    private static let bytes = 5 << 20

    @Test func `what a hash leaves is wiped when its thread goes idle`() async throws {
        let queue = HashingQueue(threads: 1, limit: 9)
        defer { queue.stop() }
        HashingWorker.start(0, queue: queue, memoryBytes: Self.bytes)
        _ = await leftBytes(queue)
        // Within a second after the answer is what is promised; a look at the memory would keep the
        // thread from going idle.
        try await Task.sleep(for: .seconds(1))
        #expect(await leftBytes(queue) == 0)
    }

    @Test func `other jobs that follow at once keep nothing from being wiped`() async throws {
        let queue = HashingQueue(threads: 1, limit: 9)
        defer { queue.stop() }
        HashingWorker.start(0, queue: queue, memoryBytes: Self.bytes)
        _ = await leftBytes(queue)
        // The same second, filled with jobs.
        let end = ContinuousClock.now + .milliseconds(800)
        while .now < end {
            await withCheckedContinuation { done in
                let job = HashingJob(id: queue.newID(), run: { { done.resume() } }, fail: { _ in done.resume() })
                queue.add(job, client: "a")
            }
        }
        #expect(await leftBytes(queue) == 0)
    }

    @Test func `nothing is wiped while the next hash follows at once`() async {
        let queue = HashingQueue(threads: 1, limit: 9)
        defer { queue.stop() }
        async let first = leftBytes(queue)
        async let second = leftBytes(queue)
        HashingWorker.start(0, queue: queue, memoryBytes: Self.bytes)
        #expect(await max(first, second) == Self.bytes)
    }

    @Test func `a job that comes while memory is wiped does not wait for the rest`() {
        let queue = HashingQueue(threads: 1, limit: 9)
        var pieces = 0
        let job = queue.next {
            pieces += 1
            if pieces == 3 { queue.add(HashingJob(id: 7, run: { {} }, fail: { _ in }), client: "a") }
            return true
        }
        #expect(job?.id == 7)
        #expect(pieces == 3)
    }

    /// Counts what is there and writes over it, as a hash does.
    private func leftBytes(_ queue: HashingQueue) async -> Int {
        await withCheckedContinuation { continuation in
            let job = HashingJob(
                id: queue.newID(),
                run: {
                    let left = Self.useMemory()
                    return { continuation.resume(returning: left) }
                },
                fail: { _ in continuation.resume(returning: -1) }
            )
            queue.add(job, client: "a")
        }
    }

    private static func useMemory() -> Int {
        guard let memory = KeptMemory.borrow(bytes: bytes) else { return -1 }
        defer { KeptMemory.giveBack(memory, wiping: 0) }
        let words = UnsafeMutableRawBufferPointer(start: memory, count: bytes).bindMemory(to: UInt64.self)
        let left = words.reduce(0) { $0 + ($1 == 0 ? 0 : 8) }
        words.update(repeating: .max)
        return left
    }
}
