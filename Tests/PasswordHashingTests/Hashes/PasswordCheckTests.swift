import TestSupport
import Testing

@testable import Essentials
@testable import PasswordHashing

@Suite("Password check", .serialized, .timeLimit(.minutes(15)))
struct PasswordCheckTests {
    private let today = Argon2Parameters(memoryKiB: 4096, iterations: 2)
    /// Costs a hundredth of one of today's.
    private let foreign = PasswordHash(phc: ImportedHashVectors.pbkdf2[0])

    private func check(_ password: String, _ balance: WorkBalance) -> PasswordCheck {
        PasswordCheck(
            password: Password(password), parameters: today, balance: balance, salt: Array("somesaltsomesalt".utf8)
        )
    }

    /// Processor time of one verification, in seconds.
    private func cost(_ password: String, _ hash: PasswordHash?, _ balance: WorkBalance) throws -> Double {
        let start = ThreadTime.now
        #expect(try !check(password, balance).run(against: hash))
        return ThreadTime.now - start
    }

    @Test func `a wrong password for a cheap hash of another system costs one of today's`() throws {
        let balance = WorkBalance(today: today)
        for _ in 0..<5 { _ = try cost("wrong", nil, balance) }
        let seconds = try #require(balance.todaySeconds)
        let costs = try (0..<9).map { _ in try cost("wrong", foreign, balance) / seconds }
        // Less is missing than the smallest piece of work that can be added.
        #expect(costs.allSatisfy { $0 > 0.99 }, "\(costs)")
        #expect(costs.sorted()[4] < 1.3, "\(costs)")
    }

    @Test func `before anything was measured it costs one of today's besides`() throws {
        let balance = WorkBalance(today: today)
        #expect(balance.todaySeconds == nil)
        _ = try cost("wrong", foreign, balance)
        #expect(balance.todaySeconds != nil)
    }

    @Test func `a hash that is malformed or asks for too much costs one of today's`() throws {
        for stored in ["", "plain", "$2b$31$9dY8EIi5J/pt0cL0dCOU6eNbNV9NGKH065Zln/hHKG51SK/IdSFW."] {
            let balance = WorkBalance(today: today)
            _ = try cost("wrong", PasswordHash(phc: stored), balance)
            #expect(balance.todaySeconds != nil, "\(stored)")
        }
    }

    @Test func `a costlier hash of another system is topped up with nothing`() throws {
        let balance = WorkBalance(today: Argon2Parameters(memoryKiB: 8, iterations: 1))
        balance.noteToday(seconds: 1e-9)
        let check = PasswordCheck(
            password: Password("wrong"), parameters: Argon2Parameters(memoryKiB: 1 << 20, iterations: 64),
            balance: balance, salt: Array("somesaltsomesalt".utf8)
        )
        // Any share of such work would take longer than the suite may.
        #expect(try !check.run(against: foreign))
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
