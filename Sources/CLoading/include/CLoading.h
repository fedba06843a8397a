#pragma once
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

/* Libraries that are loaded when first needed. A door to one lists the functions that it calls:

       #define FUNCTIONS(X) X(QRcode_encodeData) X(QRcode_free)
       static struct { FUNCTIONS(LOADED_FUNCTION) } library;
       LOADED_LIBRARY("libqrencode", 4, FUNCTIONS)

   `library` has a pointer to each function by its name, of the type in the library's header, so that a call with another
   one does not compile. The last line defines `load()`, which is false when the library or one of the functions is
   missing. */
#define LOADED_LIBRARY(name, version, FUNCTIONS)                   \
    static bool load(void) {                                       \
        void *handle = vestibule_open_library(name, version);      \
        return handle != NULL FUNCTIONS(AND_FOUND);                \
    }
#define LOADED_FUNCTION(function) __typeof__(&function) function;
#define AND_FOUND(function) && (*(void **)&library.function = dlsym(handle, #function)) != NULL

// NULL when it is missing. The version is that of its interface, as the system's linker names it.
void *vestibule_open_library(const char *name, int version);
