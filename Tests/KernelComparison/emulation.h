/* The AVX-512 instructions of the kernel in plain C, so that it is tested on processors without
   them: included before the kernel. */

#include <stdint.h>

#define TARGET

typedef uint64_t __m512i __attribute__((vector_size(64)));

static inline __m512i _mm512_xor_si512(__m512i x, __m512i y) {
    return x ^ y;
}

static inline __m512i _mm512_add_epi64(__m512i x, __m512i y) {
    return x + y;
}

static inline __m512i _mm512_mul_epu32(__m512i x, __m512i y) {
    return (x & UINT32_MAX) * (y & UINT32_MAX);
}

static inline __m512i _mm512_ror_epi64(__m512i x, int bits) {
    return x >> bits | x << (64 - bits);
}

static inline __m512i _mm512_set1_epi64(int64_t x) {
    return (__m512i){0} + (uint64_t)x;
}

#define _mm512_setr_epi64(...) ((__m512i){__VA_ARGS__})

static inline __m512i _mm512_permutex2var_epi64(__m512i x, __m512i order, __m512i y) {
    __m512i result;
    for (int i = 0; i < 8; i++) result[i] = (order[i] & 8 ? y : x)[order[i] & 7];
    return result;
}

/* Quarter i comes from x for the lower half, from y for the upper. */
static inline __m512i _mm512_shuffle_i64x2(__m512i x, __m512i y, int order) {
    __m512i result;
    for (int i = 0; i < 8; i++) result[i] = (i < 4 ? x : y)[2 * (order >> i / 2 * 2 & 3) + i % 2];
    return result;
}

static inline __m512i _mm512_permutex_epi64(__m512i x, int order) {
    __m512i result;
    for (int i = 0; i < 8; i++) result[i] = x[i / 4 * 4 + (order >> i % 4 * 2 & 3)];
    return result;
}

/* By 8 bytes, which is all the kernel asks for. */
static inline __m512i _mm512_alignr_epi8(__m512i high, __m512i low, int bytes) {
    __m512i result;
    for (int i = 0; i < 8; i += 2) {
        result[i] = bytes == 8 ? low[i + 1] : 0;
        result[i + 1] = bytes == 8 ? high[i] : 0;
    }
    return result;
}

/* Of all tables only the one of exclusive or. */
static inline __m512i _mm512_ternarylogic_epi64(__m512i x, __m512i y, __m512i z, int table) {
    return table == 0x96 ? x ^ y ^ z : (__m512i){0};
}

#define _mm512_castsi512_si128(x) (x)
#define _mm_cvtsi128_si64(x) ((x)[0])
