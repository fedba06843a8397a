#include "block.h"

#define TWICE(...) { __VA_ARGS__, __VA_ARGS__ }

_Alignas(32) const uint8_t argon2_turned24[32] = TWICE(3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10);
_Alignas(32) const uint8_t argon2_turned16[32] = TWICE(2, 3, 4, 5, 6, 7, 0, 1, 10, 11, 12, 13, 14, 15, 8, 9);
