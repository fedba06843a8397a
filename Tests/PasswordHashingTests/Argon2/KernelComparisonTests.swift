import KernelComparison
import TestSupport
import Testing

@testable import PasswordHashing

@Suite("Argon2id kernels beside libargon2", .timeLimit(.minutes(60)))
struct KernelComparisonTests {
    private static let seed = UInt64.random(in: .min ... .max)

    /// Of all kernels at once, since libargon2 takes most of the time; on a thread of its own, as
    /// other tests need Swift's few.
    private static let comparison = Task {
        try await blocking {
            let runsHere = (0..<COMPARED_KERNELS.rawValue).map { kernel_comparison_runs_here(compared_kernel($0)) }
            // The same functions with the instructions in plain C: all sets where the processor has
            // none.
            let sets: [Int32] = [2_000, 2_000, runsHere[Int(COMPARED_AVX512.rawValue)] ? 100 : 2_000]
            var compared = zip(sets, runsHere).map { compared_sets(sets: $1 ? $0 : 0, different: 0) }
            kernel_comparison_run(&compared, seed)
            return compared.map { (sets: $0.sets, different: $0.different) }
        }
    }

    private func expectNoDifference(_ kernel: compared_kernel) async throws {
        let compared = try await Self.comparison.value[Int(kernel.rawValue)]
        #expect(compared.sets > 0 && compared.different == 0, "seed \(Self.seed)")
    }

    @Test func `libargon2 gives the tag of RFC 9106`() {
        #expect(kernel_comparison_library_gives_rfc_tag())
    }

    @Test(.enabled(if: kernel_comparison_runs_here(COMPARED_AVX2)))
    func `AVX2 gives the tags of libargon2`() async throws {
        try await expectNoDifference(COMPARED_AVX2)
    }

    @Test(.enabled(if: kernel_comparison_runs_here(COMPARED_AVX512)))
    func `AVX-512 gives the tags of libargon2`() async throws {
        try await expectNoDifference(COMPARED_AVX512)
    }

    @Test(.enabled(if: kernel_comparison_runs_here(COMPARED_EMULATED_AVX512)))
    func `emulated AVX-512 gives the tags of libargon2`() async throws {
        try await expectNoDifference(COMPARED_EMULATED_AVX512)
    }
}
