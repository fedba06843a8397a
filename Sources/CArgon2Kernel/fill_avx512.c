#if defined(__x86_64__)

#include <stdbool.h>

/* Defined already where the instructions are emulated. */
#ifndef TARGET
#include <immintrin.h>
#define TARGET __attribute__((target("avx512f,avx512bw")))
#endif
#include "area.h"

/* A whole block in 16 registers: x[2 * row] and x[2 * row + 1]. */

INLINE __m512i exclusive_or(__m512i x, __m512i y) {
    return _mm512_xor_si512(x, y);
}

INLINE __m512i exclusive_or_of_three(__m512i x, __m512i y, __m512i z) {
    return _mm512_ternarylogic_epi64(x, y, z, 0x96);
}

INLINE __m512i sum_with_product(__m512i x, __m512i y) {
    __m512i product = _mm512_mul_epu32(x, y);
    return _mm512_add_epi64(_mm512_add_epi64(x, y), _mm512_add_epi64(product, product));
}

/* GB (RFC 9106, section 3.6) on count vectors of columns. */
INLINE void mix(int count, __m512i *a, __m512i *b, __m512i *c, __m512i *d) {
    EACH(i, count) a[i] = sum_with_product(a[i], b[i]);
    EACH(i, count) d[i] = _mm512_ror_epi64(exclusive_or(d[i], a[i]), 32);
    EACH(i, count) c[i] = sum_with_product(c[i], d[i]);
    EACH(i, count) b[i] = _mm512_ror_epi64(exclusive_or(b[i], c[i]), 24);
    EACH(i, count) a[i] = sum_with_product(a[i], b[i]);
    EACH(i, count) d[i] = _mm512_ror_epi64(exclusive_or(d[i], a[i]), 16);
    EACH(i, count) c[i] = sum_with_product(c[i], d[i]);
    EACH(i, count) b[i] = _mm512_ror_epi64(exclusive_or(b[i], c[i]), 63);
}

/* Undoes the turn of the second row of words (b, or d) while the halves of two permutations are put
   back. */
INLINE void join(__m512i *x, __m512i a, __m512i b, __m512i c, __m512i d) {
    const __m512i ab = _mm512_setr_epi64(0, 1, 2, 3, 11, 8, 9, 10), cd = _mm512_setr_epi64(2, 3, 0, 1, 9, 10, 11, 8);
    const __m512i fours = _mm512_set1_epi64(4);
    x[0] = _mm512_permutex2var_epi64(a, ab, b);
    x[1] = _mm512_permutex2var_epi64(c, cd, d);
    x[2] = _mm512_permutex2var_epi64(a, exclusive_or(ab, fours), b);
    x[3] = _mm512_permutex2var_epi64(c, exclusive_or(cd, fours), d);
}

/* P on all rows: a vector holds four words of each of two of them. */
INLINE void permute_rows(__m512i *x) {
    __m512i a[4], b[4], c[4], d[4];
    EACH(i, 4) {
        a[i] = _mm512_shuffle_i64x2(x[4 * i], x[4 * i + 2], 0x44);
        b[i] = _mm512_shuffle_i64x2(x[4 * i], x[4 * i + 2], 0xEE);
        c[i] = _mm512_shuffle_i64x2(x[4 * i + 1], x[4 * i + 3], 0x44);
        d[i] = _mm512_shuffle_i64x2(x[4 * i + 1], x[4 * i + 3], 0xEE);
    }
    mix(4, a, b, c, d);
    EACH(i, 4) {
        b[i] = _mm512_permutex_epi64(b[i], 0x39);
        c[i] = _mm512_permutex_epi64(c[i], 0x4E);
        d[i] = _mm512_permutex_epi64(d[i], 0x93);
    }
    mix(4, a, b, c, d);
    EACH(i, 4) join(x + 4 * i, a[i], b[i], c[i], d[i]);
}

/* Rows of four words: two vectors, of two words of each column. */
INLINE void turn_left(__m512i *row) {
    __m512i first = row[0];
    row[0] = _mm512_alignr_epi8(row[1], first, 8);
    row[1] = _mm512_alignr_epi8(first, row[1], 8);
}

INLINE void exchange(__m512i *row) {
    __m512i first = row[0];
    row[0] = row[1];
    row[1] = first;
}

INLINE void turn_right(__m512i *row) {
    turn_left(row);
    exchange(row);
}

/* P on four columns: every other vector. */
INLINE void permute_columns(__m512i *x) {
    __m512i v[4][2];
    EACH(row, 8) v[row / 2][row % 2] = x[2 * row];
    mix(2, v[0], v[1], v[2], v[3]);
    turn_left(v[1]);
    exchange(v[2]);
    turn_right(v[3]);
    mix(2, v[0], v[1], v[2], v[3]);
    turn_right(v[1]);
    exchange(v[2]);
    turn_left(v[3]);
    EACH(row, 8) x[2 * row] = v[row / 2][row % 2];
}

INLINE const __m512i *vector(const struct block *block, int i) {
    return (const __m512i *)&block->word[8 * i];
}

INLINE void compress(
    const struct block *previous, const struct block *reference, struct block *written, bool is_first_pass,
    struct area *area
) {
    __m512i x[16];
    EACH(i, 16) x[i] = exclusive_or(*vector(previous, i), *vector(reference, i));
    permute_rows(x);
    EACH(half, 2) {
        permute_columns(x + half);
        EACH(row, 8) {
            int i = 2 * row + half;
            __m512i y = exclusive_or_of_three(x[i], *vector(previous, i), *vector(reference, i));
            if (!is_first_pass) y = exclusive_or(y, *vector(written, i));
            if (area && i == 0) choose(area, (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(y)));
            *(__m512i *)vector(written, i) = y;
        }
    }
}

#include "walk.h"

TARGET void argon2_fill_avx512(struct block *memory, uint32_t count, uint32_t passes) {
    fill(memory, count, passes);
}

#endif
