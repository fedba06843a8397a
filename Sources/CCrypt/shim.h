#pragma once
#include <crypt.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Writes what crypt(3) makes of a phrase and a setting into CRYPT_OUTPUT_SIZE bytes. Returns 0, or errno when it made
// nothing. In C because struct crypt_data is 32 KiB, too large for Swift to know by member.
static inline int vestibule_crypt(const char *phrase, const char *setting, char *output) {
    struct crypt_data *data = (struct crypt_data *)calloc(1, sizeof(struct crypt_data));
    if (data == NULL) return ENOMEM;
    errno = 0;
    const char *made = crypt_r(phrase, setting, data);
    int failure = made == NULL || made[0] == '*' ? (errno ? errno : EINVAL) : 0;
    if (failure == 0) memcpy(output, made, strlen(made) + 1);
    explicit_bzero(data, sizeof(struct crypt_data));
    free(data);
    return failure;
}
