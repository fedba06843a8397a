import Synchronization
import Testing

@testable import Essentials

@Suite("Values made when first asked for", .timeLimit(.minutes(15)))
struct LazyTests {
    private final class Count: Sendable {
        private let number = Mutex(0)

        func next() -> Int {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }

    struct Broken: Error {
        let attempt: Int
    }

    @Test func `one value for all who ask at once`() async throws {
        let count = Count()
        let lazy = Lazy<Int> { count.next() }
        #expect(lazy.ifMade == nil)
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try lazy.value() } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(values == [1])
        #expect(lazy.ifMade == 1)
    }

    @Test func `what failed once is not tried again`() {
        let count = Count()
        let lazy = Lazy<Int> { throw Broken(attempt: count.next()) }
        for _ in 0..<3 {
            let error = #expect(throws: Broken.self) { try lazy.value() }
            #expect(error?.attempt == 1)
            #expect(lazy.ifMade == nil)
        }
    }
}
