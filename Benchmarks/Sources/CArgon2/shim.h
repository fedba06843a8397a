#include <argon2.h>
#include <stdlib.h>

// Callbacks for libargon2 that keep a thread's memory between its hashes; all of them are of one size.
static inline int kept_memory(uint8_t **memory, size_t bytes) {
    static _Thread_local uint8_t *kept;
    if (!kept) kept = malloc(bytes);
    *memory = kept;
    return kept ? 0 : ARGON2_MEMORY_ALLOCATION_ERROR;
}

static inline void keep_memory(uint8_t *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
}
