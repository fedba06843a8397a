#include "KernelComparison.h"

#include <argon2.h>
#include <string.h>

/* RFC 9106, section 5.3: four lanes, which no kernel has. */
bool kernel_comparison_library_gives_rfc_tag(void) {
    static const uint8_t expected[32] = {
        0x0d, 0x64, 0x0d, 0xf5, 0x8d, 0x78, 0x76, 0x6c, 0x08, 0xc0, 0x37, 0xa3, 0x4a, 0x8b, 0x53, 0xc9,
        0xd0, 0x1e, 0xf0, 0x45, 0x2d, 0x75, 0xb6, 0x5e, 0xb5, 0x25, 0x20, 0xe9, 0x6b, 0x01, 0xe6, 0x59,
    };
    uint8_t tag[32], password[32], salt[16], secret[8], data[12];
    memset(password, 1, sizeof password);
    memset(salt, 2, sizeof salt);
    memset(secret, 3, sizeof secret);
    memset(data, 4, sizeof data);
    argon2_context context = {
        .out = tag, .outlen = sizeof tag, .pwd = password, .pwdlen = sizeof password, .salt = salt,
        .saltlen = sizeof salt, .secret = secret, .secretlen = sizeof secret, .ad = data, .adlen = sizeof data,
        .t_cost = 3, .m_cost = 32, .lanes = 4, .threads = 1, .version = ARGON2_VERSION_13,
    };
    return argon2_ctx(&context, Argon2_id) == ARGON2_OK && memcmp(tag, expected, sizeof tag) == 0;
}
