import Synchronization
import TestSupport
import Testing

@testable import Bytes
@testable import PasswordHashing

/// A thread whose time is the blocks it hashes; smaller hashes take a little less for each, as they
/// do where more of them fits a cache.
private final class CountedWork: Sendable {
    private struct State {
        var hashes: [Argon2Parameters] = []
        var seconds = 0.0
        var isBegun = false
    }

    private let state = Mutex(State())
    private let today: Argon2Parameters
    /// What a hash of another system takes: the time is asked for before and after it.
    private let foreignSeconds: Double
    private let secondsPerBlock: Double

    init(today: Argon2Parameters, foreignSeconds: Double = 0, secondsPerBlock: Double = 1) {
        (self.today, self.foreignSeconds, self.secondsPerBlock) = (today, foreignSeconds, secondsPerBlock)
    }

    var hashes: [Argon2Parameters] { state.withLock(\.hashes) }

    var seconds: Double { state.withLock(\.seconds) }

    @Sendable func now() -> Double {
        state.withLock { state in
            defer { if !state.isBegun { (state.isBegun, state.seconds) = (true, state.seconds + foreignSeconds) } }
            return state.seconds
        }
    }

    var kernel: Argon2Kernel {
        Argon2Kernel(name: "counting") { _, _, parameters, bytes in
            self.state.withLock { state in
                state.hashes.append(parameters)
                state.seconds += Double(parameters.cost) * (parameters == self.today ? 1 : 0.9) * self.secondsPerBlock
            }
            return Array(repeating: 0, count: bytes)
        }
    }
}

@Suite("Password check", .serialized, .timeLimit(.minutes(15)))
struct PasswordCheckTests {
    private let today = Argon2Parameters(memoryKiB: 4096, iterations: 2)
    private let foreign = PasswordHash(phc: ImportedHashVectors.pbkdf2[0])

    /// Checks a wrong password.
    private func check(_ hash: PasswordHash, _ balance: WorkBalance, _ work: CountedWork) throws {
        let check = PasswordCheck(
            password: Password("wrong"), parameters: today, balance: balance, salt: Array("somesaltsomesalt".utf8),
            kernel: work.kernel, seconds: work.now
        )
        #expect(try !check.run(against: hash))
    }

    @Test(arguments: [0.01, 0.3, 0.95])
    func `a wrong password for a cheap hash of another system costs one of today's`(share: Double) throws {
        let balance = WorkBalance(today: today)
        balance.noteToday(seconds: Double(today.cost))
        let work = CountedWork(today: today, foreignSeconds: share * Double(today.cost))
        try check(foreign, balance, work)
        // Less is missing than the smallest piece of work that can be added.
        let missing = Double(today.cost) - work.seconds
        #expect(missing >= 0 && missing < Double(8 * today.iterations), "\(work.hashes)")
    }

    @Test func `before anything was measured it costs one of today's besides`() throws {
        let (balance, work) = (WorkBalance(today: today), CountedWork(today: today, foreignSeconds: 100))
        #expect(balance.todaySeconds == nil)
        try check(foreign, balance, work)
        #expect(work.hashes == [today])
        #expect(balance.todaySeconds == Double(today.cost))
    }

    @Test(arguments: ["", "plain", "$2b$31$9dY8EIi5J/pt0cL0dCOU6eNbNV9NGKH065Zln/hHKG51SK/IdSFW."])
    func `a hash that is malformed or asks for too much costs one of today's`(stored: String) throws {
        let (balance, work) = (WorkBalance(today: today), CountedWork(today: today))
        try check(PasswordHash(phc: stored), balance, work)
        #expect(work.hashes == [today])
        #expect(balance.todaySeconds == Double(today.cost))
    }

    @Test func `a costlier hash of another system is topped up with nothing`() throws {
        let (balance, work) = (WorkBalance(today: today), CountedWork(today: today, foreignSeconds: 10))
        balance.noteToday(seconds: 9)
        try check(foreign, balance, work)
        #expect(work.hashes.isEmpty)
    }

    @Test func `a clock that has not ticked during a hash measures nothing`() throws {
        let balance = WorkBalance(today: today)
        for hash in ["", ImportedHashVectors.pbkdf2[0]] {
            let work = CountedWork(today: today, secondsPerBlock: 0)
            try check(PasswordHash(phc: hash), balance, work)
            #expect(work.hashes == [today])
        }
        #expect(balance.todaySeconds == nil)
    }

    @Test func `the right password is right in every form`() async throws {
        let hasher = PasswordHasher(parameters: today, threads: 1, queueLimit: 100) { Array(repeating: 1, count: $0) }
        for stored in ImportedHashVectors.all {
            let hash = PasswordHash(phc: stored)
            #expect(
                try await hasher.verify(Password(ImportedHashVectors.password), against: hash, client: "a"), "\(stored)"
            )
            #expect(try await !hasher.verify(Password("wrong"), against: hash, client: "a"), "\(stored)")
            #expect(hasher.needsRehash(hash))
        }
    }
}
