#include "blake2b.h"

#include "include/CArgon2Kernel.h"

#include <string.h>

static const uint64_t initial[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static const uint8_t order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static inline uint64_t rotated(uint64_t x, int bits) {
    return x >> bits | x << (64 - bits);
}

static inline void mix(uint64_t *v, int a, int b, int c, int d, uint64_t x, uint64_t y) {
    v[a] += v[b] + x;
    v[d] = rotated(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = rotated(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = rotated(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotated(v[b] ^ v[c], 63);
}

static void compress(struct blake2b *hash, const uint8_t *block, uint64_t last) {
    uint64_t v[16], m[16];
    memcpy(m, block, sizeof m);
    memcpy(v, hash->state, sizeof hash->state);
    memcpy(v + 8, initial, sizeof initial);
    v[12] ^= hash->count;
    v[14] ^= last;
    for (int round = 0; round < 12; round++) {
        const uint8_t *s = order[round % 10];
        for (int i = 0; i < 4; i++) mix(v, i, 4 + i, 8 + i, 12 + i, m[s[2 * i]], m[s[2 * i + 1]]);
        for (int i = 0; i < 4; i++)
            mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[s[8 + 2 * i]], m[s[9 + 2 * i]]);
    }
    for (int i = 0; i < 8; i++) hash->state[i] ^= v[i] ^ v[8 + i];
    argon2_kernel_wipe(v, sizeof v);
    argon2_kernel_wipe(m, sizeof m);
}

void blake2b_start(struct blake2b *hash, size_t digest_bytes) {
    memset(hash, 0, sizeof *hash);
    memcpy(hash->state, initial, sizeof initial);
    hash->state[0] ^= 0x01010000 ^ digest_bytes;
    hash->digest_bytes = digest_bytes;
}

void blake2b_add(struct blake2b *hash, const void *bytes, size_t count) {
    const uint8_t *rest = bytes;
    while (count > 0) {
        /* A full buffer waits for another byte: the last block is compressed differently. */
        if (hash->buffered == sizeof hash->buffer) {
            hash->count += sizeof hash->buffer;
            compress(hash, hash->buffer, 0);
            hash->buffered = 0;
        }
        size_t room = sizeof hash->buffer - hash->buffered;
        size_t taken = count < room ? count : room;
        memcpy(hash->buffer + hash->buffered, rest, taken);
        hash->buffered += taken;
        rest += taken;
        count -= taken;
    }
}

void blake2b_add_number(struct blake2b *hash, uint32_t number) {
    blake2b_add(hash, &number, sizeof number);
}

void blake2b_finish(struct blake2b *hash, uint8_t *digest) {
    memset(hash->buffer + hash->buffered, 0, sizeof hash->buffer - hash->buffered);
    hash->count += hash->buffered;
    compress(hash, hash->buffer, UINT64_MAX);
    memcpy(digest, hash->state, hash->digest_bytes);
    argon2_kernel_wipe(hash, sizeof *hash);
}
