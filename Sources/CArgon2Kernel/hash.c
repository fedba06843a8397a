#include "include/CArgon2Kernel.h"

#if defined(__x86_64__)

#include "blake2b.h"
#include "block.h"

#include <string.h>

enum { first_digest_bytes = 64, variant_id = 2, version = 0x13 };

/* H' (RFC 9106, section 3.3): a digest of any length. */
static void long_digest(const void *bytes, size_t count, uint8_t *digest, uint32_t digest_bytes) {
    struct blake2b hash;
    blake2b_start(&hash, digest_bytes < 64 ? digest_bytes : 64);
    blake2b_add_number(&hash, digest_bytes);
    blake2b_add(&hash, bytes, count);
    if (digest_bytes <= 64) {
        blake2b_finish(&hash, digest);
        return;
    }
    uint8_t v[64];
    blake2b_finish(&hash, v);
    for (;;) {
        memcpy(digest, v, 32);
        digest += 32;
        digest_bytes -= 32;
        blake2b_start(&hash, digest_bytes < 64 ? digest_bytes : 64);
        blake2b_add(&hash, v, sizeof v);
        if (digest_bytes <= 64) break;
        blake2b_finish(&hash, v);
    }
    blake2b_finish(&hash, digest);
    argon2_kernel_wipe(v, sizeof v);
}

static void add_counted(struct blake2b *hash, struct argon2_kernel_bytes bytes) {
    blake2b_add_number(hash, bytes.count);
    blake2b_add(hash, bytes.start, bytes.count);
}

/* H0 (RFC 9106, section 3.2). */
static void first_digest(const struct argon2_kernel_input *input, uint32_t tag_bytes, uint8_t *digest) {
    const uint32_t lanes = 1;
    struct blake2b hash;
    blake2b_start(&hash, first_digest_bytes);
    blake2b_add_number(&hash, lanes);
    blake2b_add_number(&hash, tag_bytes);
    blake2b_add_number(&hash, input->memory_kib);
    blake2b_add_number(&hash, input->passes);
    blake2b_add_number(&hash, version);
    blake2b_add_number(&hash, variant_id);
    add_counted(&hash, input->password);
    add_counted(&hash, input->salt);
    add_counted(&hash, input->secret);
    add_counted(&hash, input->associated_data);
    blake2b_finish(&hash, digest);
}

static void write_first_blocks(const struct argon2_kernel_input *input, uint32_t tag_bytes, struct block *memory) {
    struct {
        uint8_t digest[first_digest_bytes];
        uint32_t column, lane;
    } seed = {.lane = 0};
    first_digest(input, tag_bytes, seed.digest);
    for (seed.column = 0; seed.column < 2; seed.column++)
        long_digest(&seed, sizeof seed, (uint8_t *)&memory[seed.column], sizeof(struct block));
    argon2_kernel_wipe(&seed, sizeof seed);
}

bool argon2_kernel_hash(
    enum argon2_kernel kernel, const struct argon2_kernel_input *input, void *memory, uint8_t *tag,
    uint32_t tag_bytes
) {
    if (input->memory_kib < 8 || input->passes < 1 || input->salt.count < 8 || tag_bytes < 4) return false;
    if (!argon2_kernel_runs_here(kernel)) return false;
    uint32_t count = input->memory_kib / 4 * 4;
    struct block *blocks = memory;
    write_first_blocks(input, tag_bytes, blocks);
    (kernel == ARGON2_KERNEL_AVX512 ? argon2_fill_avx512 : argon2_fill_avx2)(blocks, count, input->passes);
    long_digest(&blocks[count - 1], sizeof(struct block), tag, tag_bytes);
    return true;
}

#else

bool argon2_kernel_hash(
    enum argon2_kernel kernel, const struct argon2_kernel_input *input, void *memory, uint8_t *tag,
    uint32_t tag_bytes
) {
    (void)kernel, (void)input, (void)memory, (void)tag, (void)tag_bytes;
    return false;
}

#endif
