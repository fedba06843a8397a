#include "CQREncode.h"
#include <CLoading.h>

#define FUNCTIONS(X) X(QRcode_encodeData) X(QRcode_free)
static struct { FUNCTIONS(LOADED_FUNCTION) } library;
LOADED_LIBRARY("libqrencode", 4, FUNCTIONS)

bool vestibule_qr_load(void) { return load(); }

QRcode *vestibule_qr_make(const unsigned char *bytes, int count) {
    return library.QRcode_encodeData(count, bytes, 0, QR_ECLEVEL_M);
}

void vestibule_qr_free(QRcode *symbol) { library.QRcode_free(symbol); }
