// Loaded into a server (LD_PRELOAD): the time of day is AHEAD seconds later there than on this machine, and the processor
// time of a thread goes forward by TICK nanoseconds at a time. What else measures time that passes stays as it is.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef AHEAD
#define AHEAD 0
#endif
#ifndef TICK
#define TICK 1
#endif

int clock_gettime(clockid_t clock, struct timespec *now) {
    int fault = (int)syscall(SYS_clock_gettime, clock, now);
    if (fault == 0 && clock == CLOCK_REALTIME) now->tv_sec += AHEAD;
    if (fault == 0 && clock == CLOCK_THREAD_CPUTIME_ID) now->tv_nsec -= now->tv_nsec % TICK;
    return fault;
}
