import Testing

@testable import Bytes
@testable import PasswordHashing

@Suite("Hashing tuning")
struct HashingTuningTests {
    /// On a machine that writes a GiB a second.
    private func seconds(_ parameters: Argon2Parameters) -> Double {
        Double(parameters.cost) / 1_048_576
    }

    @Test func `memory grows first`() {
        let found = HashingTuning(targetSeconds: 0.25, memoryKiBAtMost: 1 << 20).parameters(seconds)
        #expect(found == Argon2Parameters(memoryKiB: 131_072, iterations: 2))
    }

    @Test func `where memory ends passes grow`() {
        let found = HashingTuning(targetSeconds: 0.25, memoryKiBAtMost: 65_536).parameters(seconds)
        #expect(found == Argon2Parameters(memoryKiB: 65_536, iterations: 4))
    }

    @Test func `it is never less than the default`() {
        #expect(HashingTuning(targetSeconds: 0.001, memoryKiBAtMost: 8).parameters(seconds) == Argon2Parameters())
    }
}
