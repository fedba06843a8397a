#include <argon2.h>
#include <time.h>

/* Processor time the calling thread has used, in seconds. In C because the module that defines timespec for Swift
   depends on what else is imported. */
static inline double argon2_thread_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}
