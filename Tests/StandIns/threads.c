// Loaded into a server (LD_PRELOAD): the system gives it no thread as long as there is a file NO_THREADS.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    const char *file = getenv("NO_THREADS");
    return file && access(file, F_OK) == 0 ? EAGAIN : real(thread, attributes, start, argument);
}
