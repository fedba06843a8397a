/* The order of the blocks of one lane (RFC 9106, sections 3.2 and 3.4). The file that includes this has defined

   compress(previous, reference, written, is_first_pass, area): computes one block. With an area, it chooses from it what
   the next block refers to, and fetches that, as soon as the first word is known. */

#include <stdbool.h>
#include <string.h>

/* Pseudo-random words that do not depend on the password (section 3.4.1.2): two groups of 128. */
struct addresses {
    struct block input, zero, inner, group[2];
};

TARGET static __attribute__((noinline)) void prepare(struct addresses *addresses, uint32_t number) {
    addresses->input.word[6] = number + 1;
    compress(&addresses->zero, &addresses->input, &addresses->inner, true, 0);
    compress(&addresses->zero, &addresses->inner, &addresses->group[number % 2], true, 0);
}

TARGET static void start_addresses(struct addresses *addresses, uint32_t slice, uint32_t count, uint32_t passes) {
    const uint64_t argon2id = 2;
    memset(addresses, 0, sizeof *addresses);
    addresses->input.word[2] = slice;
    addresses->input.word[3] = count;
    addresses->input.word[4] = passes;
    addresses->input.word[5] = argon2id;
    prepare(addresses, 0);
}

INLINE const struct block *addressed(const struct addresses *addresses, struct area area, uint32_t first, uint32_t i) {
    area.size = first + i - 1;
    area.last = first + i - 2;
    return choice(&area, addresses->group[i / 128 % 2].word[i % 128]);
}

/* A quarter of the first pass whose references do not depend on the password: the one after the
   next is fetched. */
TARGET static void fill_independently(struct area area, uint32_t slice, uint32_t passes) {
    const uint32_t quarter = (uint32_t)area.count / 4, first = slice * quarter;
    struct addresses addresses;
    start_addresses(&addresses, slice, (uint32_t)area.count, passes);
    for (uint32_t i = slice == 0 ? 2 : 0; i < quarter; i++) {
        if ((i + 2) % 128 == 0) prepare(&addresses, (i + 2) / 128);
        fetch(addressed(&addresses, area, first, i + 2));
        struct block *written = area.memory + first + i;
        compress(written - 1, addressed(&addresses, area, first, i), written, true, 0);
    }
}

/* A quarter of any pass whose references come from the blocks themselves. */
INLINE void fill_dependently(struct area area, uint32_t slice, bool is_first_pass) {
    const uint64_t quarter = area.count / 4, first = slice * quarter;
    area.size = (is_first_pass ? first : area.count - quarter) - 1;
    area.last = (is_first_pass ? first : first + area.count) - 2;
    struct block *written = area.memory + first;
    const struct block *previous = first == 0 ? area.memory + area.count - 1 : written - 1;
    choose(&area, previous->word[0]);
    for (uint64_t i = 0; i < quarter; i++) {
        area.size++;
        area.last++;
        compress(previous, area.chosen, written, is_first_pass, &area);
        previous = written++;
    }
}

TARGET static void fill_first(struct area area, uint32_t passes) {
    for (uint32_t slice = 0; slice < 2; slice++) fill_independently(area, slice, passes);
    for (uint32_t slice = 2; slice < 4; slice++) fill_dependently(area, slice, true);
}

TARGET static void fill(struct block *memory, uint32_t count, uint32_t passes) {
    const struct area area = {.memory = memory, .count = count};
    fill_first(area, passes);
    for (uint32_t pass = 1; pass < passes; pass++)
        for (uint32_t slice = 0; slice < 4; slice++) fill_dependently(area, slice, false);
}
