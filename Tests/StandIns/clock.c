// Loaded into a server (LD_PRELOAD): the time of day is AHEAD seconds later there than on this machine. What measures
// time that passes stays as it is.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    int fault = (int)syscall(SYS_clock_gettime, clock, now);
    if (fault == 0 && clock == CLOCK_REALTIME) now->tv_sec += AHEAD;
    return fault;
}
