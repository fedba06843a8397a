#pragma once
#include <qrencode.h>
#include <stdbool.h>
#include <stddef.h>

/* libqrencode, loaded when first needed: few requests draw a picture. Nothing below may be called before
   `vestibule_qr_load`. */

// Loads libqrencode; to be called once. False when it is missing.
bool vestibule_qr_load(void);

// The symbol for these bytes with error correction M. NULL when they are too many or memory is short.
QRcode *vestibule_qr_make(const unsigned char *bytes, int count);
void vestibule_qr_free(QRcode *symbol);
