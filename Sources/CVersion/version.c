#include "include/CVersion.h"

/* A section of its own, which objcopy replaces in the finished program. So a new version compiles
   nothing, and the same build can be tried under two versions. Its 64 bytes are never read here:
   the compiler would put the text that it sees in their place. */
__attribute__((section(".vestibule_version"), used)) const char vestibule_version_text[64] = "development";

const char *vestibule_version(void) {
    return vestibule_version_text;
}
