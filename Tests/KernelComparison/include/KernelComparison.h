#ifndef KERNELCOMPARISON_H
#define KERNELCOMPARISON_H

#include <stdbool.h>
#include <stdint.h>

enum compared_kernel {
    COMPARED_AVX2,
    COMPARED_AVX512,
    COMPARED_EMULATED_AVX512, /* in plain C: runs on every x86-64 */
};

bool kernel_comparison_runs_here(enum compared_kernel kernel);

/* How many of the sets of random parameters and inputs the kernel has another tag for than
   libargon2; each is printed. The same seed makes the same sets. */
int kernel_comparison_differences(enum compared_kernel kernel, int sets, uint64_t seed);

/* Whether what the kernels are compared with gives the tag of RFC 9106. */
bool kernel_comparison_library_gives_rfc_tag(void);

#endif
