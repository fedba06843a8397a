#ifndef KERNELCOMPARISON_H
#define KERNELCOMPARISON_H

#include <stdbool.h>
#include <stdint.h>

enum compared_kernel {
    COMPARED_AVX2,
    COMPARED_AVX512,
    COMPARED_EMULATED_AVX512, /* in plain C: runs on every x86-64 */
    COMPARED_KERNELS,
};

struct compared_sets {
    int sets; /* to compare */
    int different; /* of them, from libargon2 */
};

bool kernel_comparison_runs_here(enum compared_kernel kernel);

/* Computes as many of the same sets of random parameters and inputs with each kernel as are said,
   and each set once with libargon2; counts and prints those whose tags differ. The same seed makes
   the same sets. One element for each kernel. */
void kernel_comparison_run(struct compared_sets *compared, uint64_t seed);

/* Whether what the kernels are compared with gives the tag of RFC 9106. */
bool kernel_comparison_library_gives_rfc_tag(void);

#endif
