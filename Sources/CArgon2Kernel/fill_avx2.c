#if defined(__x86_64__)

#include <immintrin.h>
#include <stdbool.h>

#define TARGET __attribute__((target("avx2")))
#include "area.h"

/* Four permutations P (RFC 9106, section 3.6) at once, which hides the latency of each. A vector
   holds a pair of words of each of two permutations, so that no step but loading and storing rows
   crosses the halves of a register. x[r] is row r of the 4 by 4 matrix: two vectors of the first
   two permutations, then two of the others. */
struct four {
    __m256i x[4][4];
};

INLINE __m256i exclusive_or(__m256i x, __m256i y) {
    return _mm256_xor_si256(x, y);
}

INLINE __m256i sum_with_product(__m256i x, __m256i y) {
    __m256i product = _mm256_mul_epu32(x, y);
    return _mm256_add_epi64(_mm256_add_epi64(x, y), _mm256_add_epi64(product, product));
}

INLINE __m256i turned32(__m256i x) {
    return _mm256_shuffle_epi32(x, 0xB1);
}

INLINE __m256i turned(__m256i x, const uint8_t *order) {
    return _mm256_shuffle_epi8(x, *(const __m256i *)order);
}

INLINE __m256i turned63(__m256i x) {
    return _mm256_or_si256(_mm256_add_epi64(x, x), _mm256_srli_epi64(x, 63));
}

/* GB on all columns. */
INLINE void mix(__m256i *a, __m256i *b, __m256i *c, __m256i *d) {
    EACH(i, 4) a[i] = sum_with_product(a[i], b[i]);
    EACH(i, 4) d[i] = turned32(exclusive_or(d[i], a[i]));
    EACH(i, 4) c[i] = sum_with_product(c[i], d[i]);
    EACH(i, 4) b[i] = turned(exclusive_or(b[i], c[i]), argon2_turned24);
    EACH(i, 4) a[i] = sum_with_product(a[i], b[i]);
    EACH(i, 4) d[i] = turned(exclusive_or(d[i], a[i]), argon2_turned16);
    EACH(i, 4) c[i] = sum_with_product(c[i], d[i]);
    EACH(i, 4) b[i] = turned63(exclusive_or(b[i], c[i]));
}

/* Rows of four words: two vectors, of two words each. */
INLINE void turn_left(__m256i *row) {
    __m256i first = row[0];
    row[0] = _mm256_alignr_epi8(row[1], first, 8);
    row[1] = _mm256_alignr_epi8(first, row[1], 8);
}

INLINE void exchange(__m256i *row) {
    __m256i first = row[0];
    row[0] = row[1];
    row[1] = first;
}

INLINE void turn_right(__m256i *row) {
    turn_left(row);
    exchange(row);
}

INLINE void permute(struct four *v) {
    mix(v->x[0], v->x[1], v->x[2], v->x[3]);
    for (int i = 0; i < 4; i += 2) {
        turn_left(v->x[1] + i);
        exchange(v->x[2] + i);
        turn_right(v->x[3] + i);
    }
    mix(v->x[0], v->x[1], v->x[2], v->x[3]);
    for (int i = 0; i < 4; i += 2) {
        turn_right(v->x[1] + i);
        exchange(v->x[2] + i);
        turn_left(v->x[3] + i);
    }
}

/* What is computed, from what, and what is kept meanwhile. */
struct step {
    const struct block *previous, *reference;
    struct block *written, work;
    bool is_first_pass;
};

/* Four pairs of words of a row, of which there are eight. */
INLINE const __m256i *vector(const struct block *block, int row, int i) {
    return (const __m256i *)&block->word[16 * row + 4 * i];
}

INLINE __m256i input(const struct step *step, int row, int i) {
    return exclusive_or(*vector(step->previous, row, i), *vector(step->reference, row, i));
}

/* Four rows. */
INLINE void permute_rows(struct step *step, int first) {
    struct four v;
    EACH(i, 4) EACH(k, 2) {
        __m256i x = input(step, first + 2 * k, i), y = input(step, first + 2 * k + 1, i);
        v.x[i][2 * k] = _mm256_permute2x128_si256(x, y, 0x20);
        v.x[i][2 * k + 1] = _mm256_permute2x128_si256(x, y, 0x31);
    }
    permute(&v);
    EACH(i, 4) EACH(k, 2) {
        __m256i x = v.x[i][2 * k], y = v.x[i][2 * k + 1];
        *(__m256i *)vector(&step->work, first + 2 * k, i) = _mm256_permute2x128_si256(x, y, 0x20);
        *(__m256i *)vector(&step->work, first + 2 * k + 1, i) = _mm256_permute2x128_si256(x, y, 0x31);
    }
}

INLINE __m256i output(const struct step *step, __m256i x, int row, int i) {
    x = exclusive_or(x, input(step, row, i));
    return step->is_first_pass ? x : exclusive_or(x, *vector(step->written, row, i));
}

/* Four columns: two vectors of each row. The first of them lead to the next reference. */
INLINE void permute_columns(struct step *step, int first, struct area *area) {
    struct four v;
    EACH(row, 8) EACH(k, 2) v.x[row / 2][2 * k + row % 2] = *vector(&step->work, row, first + k);
    permute(&v);
    if (area) choose(area, (uint64_t)_mm256_extract_epi64(output(step, v.x[0][0], 0, 0), 0));
    EACH(row, 8) EACH(k, 2) {
        __m256i x = output(step, v.x[row / 2][2 * k + row % 2], row, first + k);
        *(__m256i *)vector(step->written, row, first + k) = x;
    }
}

INLINE void compress(
    const struct block *previous, const struct block *reference, struct block *written, bool is_first_pass,
    struct area *area
) {
    struct step step = {.previous = previous, .reference = reference, .written = written};
    step.is_first_pass = is_first_pass;
    permute_rows(&step, 0);
    permute_rows(&step, 4);
    permute_columns(&step, 0, area);
    permute_columns(&step, 2, 0);
}

#include "walk.h"

TARGET void argon2_fill_avx2(struct block *memory, uint32_t count, uint32_t passes) {
    fill(memory, count, passes);
}

#endif
