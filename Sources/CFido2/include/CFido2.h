#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libfido2, loaded when first needed: it brings libudev and libcbor along, which a server whose people use no passkeys
   never touches. Nothing below may be called before `vestibule_fido_load`. Functions that return int return 0 (FIDO_OK)
   or one of the errors of fido/err.h. */

typedef struct fido_cred fido_cred_t;
typedef struct fido_assert fido_assert_t;

// Loads libfido2 and starts it (fido_init); to be called once. False when it is missing.
bool vestibule_fido_load(void);

// The functions of libfido2 by the same names (see its manual).
fido_cred_t *vestibule_fido_cred_make(void);
void vestibule_fido_cred_free(fido_cred_t *credential);
int vestibule_fido_cred_set_type(fido_cred_t *credential, int algorithm);
int vestibule_fido_cred_set_data(fido_cred_t *credential, const uint8_t *bytes, size_t count);
const uint8_t *vestibule_fido_cred_id(const fido_cred_t *credential, size_t *count);
const uint8_t *vestibule_fido_cred_key(const fido_cred_t *credential, size_t *count);

// A key of that COSE algorithm, as `vestibule_fido_cred_key` gave it; NULL when it is none.
void *vestibule_fido_key_make(int algorithm, const uint8_t *bytes, size_t count);
void vestibule_fido_key_free(int algorithm, void *key);

fido_assert_t *vestibule_fido_assert_make(void);
void vestibule_fido_assert_free(fido_assert_t *assertion);
int vestibule_fido_assert_set_relying_party(fido_assert_t *assertion, const char *id);
int vestibule_fido_assert_set_client_data_hash(fido_assert_t *assertion, const uint8_t *bytes, size_t count);
int vestibule_fido_assert_set_data(fido_assert_t *assertion, const uint8_t *bytes, size_t count);
// Which of the extensions that libfido2 knows the data holds: it refuses all but exactly these.
int vestibule_fido_assert_expect(fido_assert_t *assertion, bool hmac_secret, bool blob);
int vestibule_fido_assert_set_signature(fido_assert_t *assertion, const uint8_t *bytes, size_t count);
// What the flags must say: a person was there, and was verified.
int vestibule_fido_assert_demand(fido_assert_t *assertion, bool present, bool verified);
int vestibule_fido_assert_verify(const fido_assert_t *assertion, int algorithm, const void *key);
