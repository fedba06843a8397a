#include "CQREncode.h"
#include <dlfcn.h>

#ifdef __APPLE__
#define LIBRARY "libqrencode.4.dylib"
#else
#define LIBRARY "libqrencode.so.4"
#endif

// With the types of qrencode.h, so that a call with another one does not compile.
static struct {
    __typeof__(&QRcode_encodeData) make;
    __typeof__(&QRcode_free) free;
} library;

static bool find(void *handle, const char *name, void **function) {
    *function = dlsym(handle, name);
    return *function != NULL;
}

bool vestibule_qr_load(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    return handle && find(handle, "QRcode_encodeData", (void **)&library.make)
        && find(handle, "QRcode_free", (void **)&library.free);
}

QRcode *vestibule_qr_make(const unsigned char *bytes, int count) {
    return library.make(count, bytes, 0, QR_ECLEVEL_M);
}

void vestibule_qr_free(QRcode *symbol) { library.free(symbol); }
