#include "CLoading.h"
#include <stdio.h>

#ifdef __APPLE__
#define FILE_NAME "%s.%d.dylib"
#else
#define FILE_NAME "%s.so.%d"
#endif

void *vestibule_open_library(const char *name, int version) {
    char file[64];
    snprintf(file, sizeof file, FILE_NAME, name, version);
    return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}
