/* main SETS SEED: compares all kernels that run here. */

#include "KernelComparison.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    const char *names[] = {"AVX2", "AVX-512", "AVX-512 in plain C"};
    int sets = count > 1 ? atoi(arguments[1]) : 2000, different = 0;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    for (int kernel = COMPARED_AVX2; kernel <= COMPARED_EMULATED_AVX512; kernel++) {
        if (!kernel_comparison_runs_here(kernel)) {
            printf("%s: not on this processor\n", names[kernel]);
            continue;
        }
        int found = kernel_comparison_differences(kernel, sets, seed);
        printf("%s: %d of %d sets differ from libargon2\n", names[kernel], found, sets);
        different += found;
    }
    return different != 0;
}
