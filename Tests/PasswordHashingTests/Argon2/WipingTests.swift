import Foundation
import Testing

@testable import Bytes
@testable import PasswordHashing

/// Whether the memory of a hashing thread is empty when a hash begins there.
@Suite("Wiping", .timeLimit(.minutes(15)))
struct WipingTests {
    private static let bytes = 5 << 20
    private static let patience = Duration.milliseconds(KeptMemory.patienceMilliseconds)
    private let queue = HashingQueue(threads: 1, limit: 9)

    @Test func `what a hash leaves is wiped when its thread goes idle`() async throws {
        defer { queue.stop() }
        let (wiped, sign) = AsyncStream<Void>.makeStream()
        let first = left(by: [Self.useMemory])
        HashingWorker.start(0, queue: queue, memoryBytes: Self.bytes) {
            let hasMore = KeptMemory.wipePiece()
            if !hasMore { sign.yield() }
            return hasMore
        }
        for await _ in first {}
        _ = await wiped.first { true }
        for await left in left(by: [Self.useMemory]) { #expect(left == 0) }
    }

    @Test func `other jobs that follow at once keep nothing from being wiped`() async throws {
        defer { queue.stop() }
        let other: @Sendable () -> Int = {
            // Takes longer than a thread without jobs would wait; the next one is in line by then.
            Thread.sleep(forTimeInterval: 1.1 * Double(KeptMemory.patienceMilliseconds) / 1000)
            return -1
        }
        let left = left(by: [Self.useMemory, other, Self.useMemory])
        HashingWorker.start(0, queue: queue, memoryBytes: Self.bytes)
        #expect(await left.reduce(into: []) { $0.append($1) }.dropFirst() == [-1, 0])
    }

    @Test func `nothing is wiped while the next hash follows soon, and all of it later`() {
        KeptMemory.keep(bytes: Self.bytes)
        defer { KeptMemory.release() }
        _ = Self.useMemory()
        let before = ContinuousClock.now
        KeptMemory.giveBack(KeptMemory.borrow(bytes: Self.bytes), wiping: 0)
        KeptMemory.wipeIfUnused(at: before + Self.patience)
        #expect(Self.useMemory() == Self.bytes)
        KeptMemory.wipeIfUnused(at: .now + Self.patience + .milliseconds(1))
        #expect(Self.useMemory() == 0)
    }

    @Test func `a job that comes while memory is wiped does not wait for the rest`() {
        var pieces = 0
        let job = queue.next {
            pieces += 1
            if pieces == 3 { queue.add(HashingJob(id: 7, run: { {} }, fail: { _ in }), client: "a") }
            return true
        }
        #expect(job?.id == 7)
        #expect(pieces == 3)
    }

    /// Puts the jobs in line; what they return, in order.
    private func left(by jobs: [@Sendable () -> Int]) -> AsyncStream<Int> {
        let (results, result) = AsyncStream<Int>.makeStream()
        for (number, work) in jobs.enumerated() {
            let isLast = number == jobs.count - 1
            let job = HashingJob(
                id: queue.newID(),
                run: {
                    let left = work()
                    return {
                        result.yield(left)
                        if isLast { result.finish() }
                    }
                },
                fail: { _ in result.finish() }
            )
            queue.add(job, client: "a")
        }
        return results
    }

    /// Counts what is there and writes over it, as a hash does.
    @Sendable private static func useMemory() -> Int {
        guard let memory = KeptMemory.borrow(bytes: bytes) else { return -1 }
        defer { KeptMemory.giveBack(memory, wiping: 0) }
        let words = UnsafeMutableRawBufferPointer(start: memory, count: bytes).bindMemory(to: UInt64.self)
        let left = words.reduce(0) { $0 + ($1 == 0 ? 0 : 8) }
        words.update(repeating: .max)
        return left
    }
}
