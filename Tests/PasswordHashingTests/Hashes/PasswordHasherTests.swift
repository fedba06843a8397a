import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Password hasher")
struct PasswordHasherTests {
    private let cheap = Argon2Parameters(memoryKiB: 64, iterations: 2)

    @Test func `the right password is verified and a wrong one is not`() async throws {
        let hasher = hasher(cheap)
        let hash = try await hasher.hash(Password("lantern"), client: "a")
        #expect(try await hasher.verify(Password("lantern"), against: hash, client: "a"))
        #expect(try await !hasher.verify(Password("lantern "), against: hash, client: "a"))
        #expect(hash.parameters == cheap)
        #expect(!hasher.needsRehash(hash))
    }

    @Test(arguments: [
        (-1, 1, 1), (64, -1, 1), (64, 1, -1), (64, 0, 1), (64, 5_000_000_000, 1), (5_000_000_000, 1, 1), (8, 1, 4),
        (.max, 1, 1), (64, .max, 1), (64, 1, .max),
    ])
    func `parameters that cannot be used fail every hash`(memoryKiB: Int, iterations: Int, parallelism: Int)
        async throws
    {
        let hasher = hasher(Argon2Parameters(memoryKiB: memoryKiB, iterations: iterations, parallelism: parallelism))
        await #expect(throws: Argon2.Failure.self) { try await hasher.hash(Password("lantern"), client: "a") }
        await #expect(throws: Argon2.Failure.self) {
            try await hasher.verify(Password("lantern"), against: nil, client: "a")
        }
        let stored = try await self.hasher(cheap).hash(Password("lantern"), client: "a")
        #expect(try await !hasher.verify(Password("wrong"), against: stored, client: "a"))
    }

    @Test func `the same password never has the same hash`() async throws {
        let hasher = hasher(cheap)
        let hashes = try await [hasher.hash(Password("x"), client: "a"), hasher.hash(Password("x"), client: "a")]
        #expect(hashes[0] != hashes[1])
    }

    @Test func `no hash and a malformed one are never right`() async throws {
        let hasher = hasher(cheap)
        #expect(try await !hasher.verify(Password(""), against: nil, client: "a"))
        #expect(try await !hasher.verify(Password(""), against: PasswordHash(phc: "$argon2id$"), client: "a"))
        #expect(hasher.needsRehash(PasswordHash(phc: "$argon2id$")))
    }

    @Test func `hashes of other parameters are verified and wait to be replaced`() async throws {
        let today = hasher(cheap)
        for old in [Argon2Parameters(memoryKiB: 16, iterations: 1), Argon2Parameters(memoryKiB: 128, iterations: 3)] {
            let hash = try await hasher(old).hash(Password("lantern"), client: "a")
            #expect(today.needsRehash(hash))
            #expect(try await today.verify(Password("lantern"), against: hash, client: "a"))
            #expect(try await !today.verify(Password("wrong"), against: hash, client: "a"))
        }
    }

    @Test func `what an older hash lacks is counted in blocks`() {
        let today = Argon2Parameters()
        #expect(today.remainder(after: Argon2Parameters(memoryKiB: 12288)) == Argon2Parameters(memoryKiB: 7168))
        #expect(
            today.remainder(after: Argon2Parameters(memoryKiB: 19456, iterations: 1))
                == Argon2Parameters(memoryKiB: 9728)
        )
        #expect(today.remainder(after: today) == nil)
        #expect(today.remainder(after: Argon2Parameters(memoryKiB: 65536, iterations: 3)) == nil)
    }

    @Test func `many hashes at once all come back`() async throws {
        let hasher = hasher(cheap, threads: 2)
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let password = Password("lantern \(number)")
                    let hash = try await hasher.hash(password, client: "\(number % 5)")
                    return try await hasher.verify(password, against: hash, client: "\(number % 5)")
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(right == 50)
    }

    @Test func `a hasher without a place left is busy`() async {
        let hasher = hasher(cheap, queueLimit: 0)
        await #expect(throws: HashingBusy(retryAfterSeconds: 1)) {
            try await hasher.hash(Password("lantern"), client: "a")
        }
    }

    @Test func `a stopped hasher says so`() async {
        let hasher = hasher(cheap)
        hasher.stop()
        await #expect(throws: HashingStopped()) { try await hasher.hash(Password("lantern"), client: "a") }
    }

    @Test func `a task already cancelled hashes nothing`() async {
        let hasher = hasher(cheap)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await hasher.hash(Password("lantern"), client: "a")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private func hasher(_ parameters: Argon2Parameters, threads: Int = 1, queueLimit: Int = 100) -> PasswordHasher {
        PasswordHasher(parameters: parameters, threads: threads, queueLimit: queueLimit) { count in
            (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        }
    }
}
