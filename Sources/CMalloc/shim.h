#include <stdlib.h>
#include <malloc.h>

/// Gives memory that is free back to the system. glibc keeps it until it is told; other C libraries do not.
static inline void give_free_memory_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
