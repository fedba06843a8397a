#ifndef BLOCK_H
#define BLOCK_H

#include <stdint.h>

/* 1 KiB: an 8 by 8 matrix of pairs of words, row after row (RFC 9106, section 3.5). */
struct block {
    _Alignas(64) uint64_t word[128];
};

/* Both compute all blocks but the first two, which are given. count: a multiple of 4, 8 or more. */
void argon2_fill_avx2(struct block *memory, uint32_t count, uint32_t passes);
void argon2_fill_avx512(struct block *memory, uint32_t count, uint32_t passes);

/* Bytes of two words turned right by 24 and by 16 bits. In another file than the functions that use
   them: a compiler that knows them takes two instructions in place of one. */
extern const uint8_t argon2_turned24[32], argon2_turned16[32];

#endif
