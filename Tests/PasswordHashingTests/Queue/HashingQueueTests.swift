import Synchronization
import Testing

@testable import Bytes
@testable import PasswordHashing

/// What became of jobs, in order.
private final class Outcomes: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func job(_ id: UInt64) -> HashingJob {
        HashingJob(
            id: id,
            run: {
                self.note("\(id) ran")
                return { self.note("\(id) announced") }
            },
            fail: { self.note("\(id) \(type(of: $0))") }
        )
    }

    private func note(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}

@Suite("Hashing queue")
struct HashingQueueTests {
    private let outcomes = Outcomes()
    private let queue = HashingQueue(threads: 1, limit: 3)

    @Test func `a flood from one client does not keep another waiting`() {
        for id in 1...3 { queue.add(outcomes.job(UInt64(id)), client: "flood") }
        queue.add(outcomes.job(9), client: "visitor")
        #expect(outcomes.all == ["3 HashingBusy"])
        _ = queue.next()?.run()
        _ = queue.next()?.run()
        #expect(outcomes.all == ["3 HashingBusy", "1 ran", "9 ran"])
    }

    @Test func `a full queue refuses with a time to come back`() {
        let busy = Mutex<HashingBusy?>(nil)
        for id in 1...3 { queue.add(outcomes.job(UInt64(id)), client: "flood") }
        for _ in 1...100 { queue.finished({}, in: .seconds(2)) }
        let late = HashingJob(id: 4, run: { {} }, fail: { error in busy.withLock { $0 = error as? HashingBusy } })
        queue.add(late, client: "flood")
        #expect(busy.withLock { $0 } == HashingBusy(retryAfterSeconds: 6))
        #expect(queue.count == 3)
    }

    @Test func `a stopped queue fails who waits and who comes later, and lets its thread go`() {
        queue.add(outcomes.job(1), client: "a")
        queue.stop()
        queue.add(outcomes.job(2), client: "a")
        #expect(outcomes.all == ["1 HashingStopped", "2 HashingStopped"])
        #expect(queue.next()?.id == nil)
    }

    @Test func `a cancelled job leaves the queue`() {
        queue.add(outcomes.job(1), client: "a")
        queue.add(outcomes.job(2), client: "a")
        queue.cancel(1, client: "a")
        queue.cancel(1, client: "a")
        _ = queue.next()?.run()
        #expect(outcomes.all == ["1 CancellationError", "2 ran"])
    }

    private func finish(_ job: HashingJob?) throws {
        let announcement = try #require(job).run()
        queue.finished(announcement, in: .milliseconds(20))
    }

    @Test func `the result of a hash nobody waits behind is announced at once`() throws {
        queue.add(outcomes.job(1), client: "a")
        try finish(queue.next())
        #expect(outcomes.all == ["1 ran", "1 announced"])
    }

    @Test func `results are announced three at a time while others wait, and all when the last begins`() throws {
        let queue = HashingQueue(threads: 1, limit: 9)
        for id in 1...5 { queue.add(outcomes.job(UInt64(id)), client: "a") }
        for _ in 1...3 { queue.finished(try #require(queue.next()).run(), in: .zero) }
        #expect(outcomes.all == ["1 ran", "2 ran", "3 ran", "1 announced", "2 announced", "3 announced"])
        queue.finished(try #require(queue.next()).run(), in: .zero)
        #expect(outcomes.all.last == "4 ran")
        let last = queue.next()
        #expect(last?.id == 5)
        #expect(outcomes.all.last == "4 announced")
    }

    @Test func `a result that is held is announced when those behind it leave, and when the queue stops`() throws {
        queue.add(outcomes.job(1), client: "a")
        queue.add(outcomes.job(2), client: "a")
        try finish(queue.next())
        #expect(outcomes.all == ["1 ran"])
        queue.cancel(2, client: "a")
        queue.stop()
        #expect(queue.next()?.id == nil)
        #expect(outcomes.all == ["1 ran", "2 CancellationError", "1 announced"])
    }
}
