/* The AVX-512 kernel once more, under other names and with the instructions in plain C. */

#if defined(__x86_64__)

#pragma GCC diagnostic ignored "-Wpsabi"

#include "CArgon2Kernel.h"

#include "emulation.h"

#define argon2_kernel_hash emulated_kernel_hash
#define argon2_kernel_runs_here(kernel) true
#define argon2_fill_avx512 emulated_fill_avx512
#include "../../Sources/CArgon2Kernel/fill_avx512.c"
#include "../../Sources/CArgon2Kernel/hash.c"

#endif
