#include <openssl/evp.h>

/// A key that several threads may use at once, as none changes it (openssl-threads(7)).
typedef struct __attribute__((swift_attr("@Sendable"))) {
    EVP_PKEY *key;
} vestibule_key;
