#ifndef CARGON2KERNEL_H
#define CARGON2KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Argon2id (RFC 9106), version 0x13, one lane, for processors with AVX2 or AVX-512. */

enum argon2_kernel {
    ARGON2_KERNEL_AVX2 = 1,
    ARGON2_KERNEL_AVX512 = 2,
};

/* A null pointer is allowed where the length is 0. */
struct argon2_kernel_bytes {
    const uint8_t *start;
    uint32_t count;
};

struct argon2_kernel_input {
    struct argon2_kernel_bytes password, salt, secret, associated_data; /* salt: at least 8 bytes */
    uint32_t memory_kib;                                                 /* at least 8 */
    uint32_t passes;                                                     /* at least 1 */
};

/* Whether this processor and operating system run the kernel, and the compiler has optimised it. */
bool argon2_kernel_runs_here(enum argon2_kernel kernel);

/* Writes tag_bytes (4 or more) to tag. memory holds memory_kib * 1024 bytes, aligned to 64, and
   keeps what was computed: wiping it is the caller's. Returns false, and writes nothing, if a
   parameter is out of range. */
bool argon2_kernel_hash(
    enum argon2_kernel kernel, const struct argon2_kernel_input *input, void *memory, uint8_t *tag,
    uint32_t tag_bytes);

/* Overwrites with zeros, although nobody may read them. */
void argon2_kernel_wipe(void *memory, size_t bytes);

#endif
