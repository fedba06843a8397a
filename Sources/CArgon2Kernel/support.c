#include "include/CArgon2Kernel.h"

#include <string.h>

bool argon2_kernel_runs_here(enum argon2_kernel kernel) {
/* Without optimisation a kernel is many times slower than libargon2. */
#if defined(__x86_64__) && defined(__OPTIMIZE__)
    switch (kernel) {
    case ARGON2_KERNEL_AVX2: return __builtin_cpu_supports("avx2");
    case ARGON2_KERNEL_AVX512: return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    }
#endif
    (void)kernel;
    return false;
}

void argon2_kernel_wipe(void *memory, size_t bytes) {
    memset(memory, 0, bytes);
    /* The compiler must assume that the zeros are read. */
    __asm__ volatile("" : : "r"(memory) : "memory");
}
