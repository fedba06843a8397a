/* main SETS SEED: compares all kernels that run here. */

#include "KernelComparison.h"

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    const char *names[] = {"AVX2", "AVX-512", "AVX-512 in plain C"};
    int sets = count > 1 ? atoi(arguments[1]) : 2000, different = 0;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    struct compared_sets compared[COMPARED_KERNELS] = {{0}};
    for (int kernel = 0; kernel < COMPARED_KERNELS; kernel++)
        compared[kernel].sets = kernel_comparison_runs_here(kernel) ? sets : 0;
    kernel_comparison_run(compared, seed);
    for (int kernel = 0; kernel < COMPARED_KERNELS; kernel++) {
        if (compared[kernel].sets == 0) {
            printf("%s: not on this processor\n", names[kernel]);
            continue;
        }
        printf("%s: %d of %d sets differ from libargon2\n", names[kernel], compared[kernel].different, sets);
        different += compared[kernel].different;
    }
    return different != 0;
}
