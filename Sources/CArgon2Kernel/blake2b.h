#ifndef BLAKE2B_H
#define BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

/* BLAKE2b without a key (RFC 7693). */
struct blake2b {
    uint64_t state[8];
    uint64_t count; /* bytes compressed: 2^64 are more than anybody hashes here */
    uint8_t buffer[128];
    size_t buffered, digest_bytes;
};

/* digest_bytes: 1 to 64. */
void blake2b_start(struct blake2b *hash, size_t digest_bytes);
void blake2b_add(struct blake2b *hash, const void *bytes, size_t count);
void blake2b_add_number(struct blake2b *hash, uint32_t number);
/* Writes the digest and wipes the state. */
void blake2b_finish(struct blake2b *hash, uint8_t *digest);

#endif
