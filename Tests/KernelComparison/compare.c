#include "KernelComparison.h"

#include "CArgon2Kernel.h"

#include <argon2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool emulated_kernel_hash(
    enum argon2_kernel kernel, const struct argon2_kernel_input *input, void *memory, uint8_t *tag,
    uint32_t tag_bytes);

struct set {
    uint32_t memory_kib, passes, tag_bytes;
    struct argon2_kernel_bytes text[4]; /* password, salt, secret, associated data */
};

/* splitmix64: the same sets everywhere. */
static uint64_t random_number(uint64_t *seed) {
    uint64_t x = *seed += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static uint32_t between(uint64_t *seed, uint32_t least, uint32_t most) {
    return least + (uint32_t)(random_number(seed) % (most - least + 1));
}

/* 8 KiB to 64 MiB. The less the likelier, as a set takes as long as it has memory: of 169 sets, 25 have 8 to 16 KiB and
   one has 32 to 64 MiB. */
static uint32_t random_memory(uint64_t *seed) {
    uint32_t one = between(seed, 0, 12), other = between(seed, 0, 12), floor = 8u << (one < other ? one : other);
    return between(seed, floor, 2 * floor);
}

/* A buffer as long as its text, so that a sanitizer sees every byte too many that is read. */
static struct argon2_kernel_bytes random_text(uint64_t *seed, uint32_t least, uint32_t most) {
    uint32_t count = between(seed, least, most);
    uint8_t *start = count == 0 ? NULL : malloc(count);
    for (uint32_t i = 0; i < count; i++) start[i] = (uint8_t)random_number(seed);
    return (struct argon2_kernel_bytes){start, count};
}

static struct set random_set(uint64_t *seed) {
    struct set set;
    set.memory_kib = random_memory(seed);
    set.passes = between(seed, 1, 5);
    set.tag_bytes = between(seed, 0, 3) ? 32 : between(seed, 4, 200);
    set.text[0] = random_text(seed, 0, 1024);
    set.text[1] = random_text(seed, 8, 64);
    set.text[2] = random_text(seed, 0, between(seed, 0, 1) * 64);
    set.text[3] = random_text(seed, 0, between(seed, 0, 1) * 300);
    return set;
}

static int expect(const struct set *set, uint8_t *tag) {
    uint8_t *text[4];
    for (int i = 0; i < 4; i++) text[i] = (uint8_t *)set->text[i].start;
    argon2_context context = {
        .out = tag, .outlen = set->tag_bytes, .pwd = text[0], .pwdlen = set->text[0].count, .salt = text[1],
        .saltlen = set->text[1].count, .secret = text[2], .secretlen = set->text[2].count, .ad = text[3],
        .adlen = set->text[3].count, .t_cost = set->passes, .m_cost = set->memory_kib, .lanes = 1, .threads = 1,
        .version = ARGON2_VERSION_13,
    };
    return argon2_ctx(&context, Argon2_id);
}

static bool hash(
    enum compared_kernel kernel, const struct argon2_kernel_input *input, void *memory, uint8_t *tag, uint32_t tag_bytes
) {
    switch (kernel) {
    case COMPARED_AVX2: return argon2_kernel_hash(ARGON2_KERNEL_AVX2, input, memory, tag, tag_bytes);
    case COMPARED_AVX512: return argon2_kernel_hash(ARGON2_KERNEL_AVX512, input, memory, tag, tag_bytes);
#if defined(__x86_64__)
    case COMPARED_EMULATED_AVX512:
        return emulated_kernel_hash(ARGON2_KERNEL_AVX512, input, memory, tag, tag_bytes);
#endif
    default: return false;
    }
}

static bool compute(enum compared_kernel kernel, const struct set *set, uint8_t *tag) {
    struct argon2_kernel_input input = {
        set->text[0], set->text[1], set->text[2], set->text[3], set->memory_kib, set->passes,
    };
    size_t bytes = (size_t)set->memory_kib * 1024;
    void *memory = aligned_alloc(64, bytes);
    /* What was there before must not show. */
    memset(memory, (int)bytes, bytes);
    bool done = hash(kernel, &input, memory, tag, set->tag_bytes);
    free(memory);
    return done;
}

static bool agrees(enum compared_kernel kernel, const struct set *set, const uint8_t expected[200]) {
    uint8_t tag[200] = {0};
    if (compute(kernel, set, tag) && memcmp(expected, tag, sizeof tag) == 0) return true;
    printf("kernel %d differs: m %u t %u password %u salt %u secret %u data %u tag %u\n", kernel, set->memory_kib,
        set->passes, set->text[0].count, set->text[1].count, set->text[2].count, set->text[3].count, set->tag_bytes);
    return false;
}

void kernel_comparison_run(struct compared_sets *compared, uint64_t seed) {
    int most = 0;
    for (int kernel = 0; kernel < COMPARED_KERNELS; kernel++) {
        if (compared[kernel].sets > most) most = compared[kernel].sets;
        compared[kernel].different = 0;
    }
    for (int i = 0; i < most; i++) {
        struct set set = random_set(&seed);
        uint8_t expected[200] = {0};
        bool isExpected = expect(&set, expected) == ARGON2_OK;
        for (int kernel = 0; kernel < COMPARED_KERNELS; kernel++)
            if (i < compared[kernel].sets) compared[kernel].different += !(isExpected && agrees(kernel, &set, expected));
        for (int j = 0; j < 4; j++) free((void *)set.text[j].start);
    }
}

bool kernel_comparison_runs_here(enum compared_kernel kernel) {
    switch (kernel) {
    case COMPARED_AVX2: return argon2_kernel_runs_here(ARGON2_KERNEL_AVX2);
    case COMPARED_AVX512: return argon2_kernel_runs_here(ARGON2_KERNEL_AVX512);
#if defined(__x86_64__)
    case COMPARED_EMULATED_AVX512: return true;
#endif
    default: return false;
    }
}
