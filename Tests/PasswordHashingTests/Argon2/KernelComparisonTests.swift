import KernelComparison
import Testing

@testable import PasswordHashing

@Suite("Argon2id kernels beside libargon2", .serialized, .timeLimit(.minutes(15)))
struct KernelComparisonTests {
    @Test func `libargon2 gives the tag of RFC 9106`() {
        #expect(kernel_comparison_library_gives_rfc_tag())
    }

    @Test(.enabled(if: kernel_comparison_runs_here(COMPARED_AVX2)))
    func `AVX2 gives the tags of libargon2`() {
        #expect(kernel_comparison_differences(COMPARED_AVX2, 2_000, seed) == 0, "seed \(seed)")
    }

    @Test(.enabled(if: kernel_comparison_runs_here(COMPARED_AVX512)))
    func `AVX-512 gives the tags of libargon2`() {
        #expect(kernel_comparison_differences(COMPARED_AVX512, 2_000, seed) == 0, "seed \(seed)")
    }

    /// The same functions with the instructions in plain C: all sets where the processor has none.
    @Test(.enabled(if: kernel_comparison_runs_here(COMPARED_EMULATED_AVX512)))
    func `emulated AVX-512 gives the tags of libargon2`() {
        let sets: Int32 = kernel_comparison_runs_here(COMPARED_AVX512) ? 100 : 2_000
        #expect(kernel_comparison_differences(COMPARED_EMULATED_AVX512, sets, seed) == 0, "seed \(seed)")
    }

    private let seed = UInt64.random(in: .min ... .max)
}
