#ifndef AREA_H
#define AREA_H

/* Which block a block refers to (RFC 9106, section 3.4), for functions of the instruction set
   TARGET names. */

#include "block.h"

#define INLINE static inline __attribute__((always_inline)) TARGET

/* A loop over vectors in registers, which have to be named: it is always unrolled. */
#define EACH(i, count) _Pragma("GCC unroll 16") for (int i = 0; i < (count); i++)

/* What the block at one position may refer to: size blocks, the newest at position last, counted on
   beyond the end. */
struct area {
    struct block *memory;
    uint64_t count, last, size;
    const struct block *chosen;
};

INLINE void fetch(const struct block *block) {
    EACH(line, 16) __builtin_prefetch(&block->word[8 * line]);
}

/* Section 3.4.2. */
INLINE const struct block *choice(const struct area *area, uint64_t first_word) {
    uint64_t j1 = (uint32_t)first_word;
    uint64_t position = area->last - (area->size * (j1 * j1 >> 32) >> 32);
    uint64_t wrapped = position - area->count;
    return area->memory + (position < area->count ? position : wrapped);
}

INLINE void choose(struct area *area, uint64_t first_word) {
    area->chosen = choice(area, first_word);
    fetch(area->chosen);
}

#endif
