#include "CFido2.h"
#include <CLoading.h>
#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>

#define FUNCTIONS(X) \
    X(fido_init) X(fido_cred_new) X(fido_cred_free) X(fido_cred_set_type) X(fido_cred_set_authdata_raw) \
    X(fido_cred_id_ptr) X(fido_cred_id_len) X(fido_cred_pubkey_ptr) X(fido_cred_pubkey_len) X(es256_pk_new) \
    X(es256_pk_free) X(es256_pk_from_ptr) X(eddsa_pk_new) X(eddsa_pk_free) X(eddsa_pk_from_ptr) X(rs256_pk_new) \
    X(rs256_pk_free) X(rs256_pk_from_ptr) X(fido_assert_new) X(fido_assert_free) X(fido_assert_set_rp) \
    X(fido_assert_set_clientdata_hash) X(fido_assert_set_count) X(fido_assert_set_authdata_raw) \
    X(fido_assert_set_sig) X(fido_assert_set_extensions) X(fido_assert_set_up) X(fido_assert_set_uv) \
    X(fido_assert_verify)
static struct { FUNCTIONS(LOADED_FUNCTION) } library;
LOADED_LIBRARY("libfido2", 1, FUNCTIONS)

bool vestibule_fido_load(void) {
    if (!load()) return false;
    library.fido_init(0);
    return true;
}

fido_cred_t *vestibule_fido_cred_make(void) { return library.fido_cred_new(); }

void vestibule_fido_cred_free(fido_cred_t *credential) { library.fido_cred_free(&credential); }

int vestibule_fido_cred_set_type(fido_cred_t *credential, int algorithm) {
    return library.fido_cred_set_type(credential, algorithm);
}

int vestibule_fido_cred_set_data(fido_cred_t *credential, const uint8_t *bytes, size_t count) {
    return library.fido_cred_set_authdata_raw(credential, bytes, count);
}

const uint8_t *vestibule_fido_cred_id(const fido_cred_t *credential, size_t *count) {
    *count = library.fido_cred_id_len(credential);
    return library.fido_cred_id_ptr(credential);
}

const uint8_t *vestibule_fido_cred_key(const fido_cred_t *credential, size_t *count) {
    *count = library.fido_cred_pubkey_len(credential);
    return library.fido_cred_pubkey_ptr(credential);
}

void *vestibule_fido_key_make(int algorithm, const uint8_t *bytes, size_t count) {
    void *key = NULL;
    int code = FIDO_ERR_UNSUPPORTED_ALGORITHM;
    switch (algorithm) {
    case COSE_ES256:
        if ((key = library.es256_pk_new())) code = library.es256_pk_from_ptr(key, bytes, count);
        break;
    case COSE_EDDSA:
        if ((key = library.eddsa_pk_new())) code = library.eddsa_pk_from_ptr(key, bytes, count);
        break;
    case COSE_RS256:
        if ((key = library.rs256_pk_new())) code = library.rs256_pk_from_ptr(key, bytes, count);
        break;
    }
    if (key && code != FIDO_OK) {
        vestibule_fido_key_free(algorithm, key);
        return NULL;
    }
    return key;
}

void vestibule_fido_key_free(int algorithm, void *key) {
    switch (algorithm) {
    case COSE_ES256: library.es256_pk_free((es256_pk_t **)&key); break;
    case COSE_EDDSA: library.eddsa_pk_free((eddsa_pk_t **)&key); break;
    case COSE_RS256: library.rs256_pk_free((rs256_pk_t **)&key); break;
    }
}

fido_assert_t *vestibule_fido_assert_make(void) { return library.fido_assert_new(); }

void vestibule_fido_assert_free(fido_assert_t *assertion) { library.fido_assert_free(&assertion); }

int vestibule_fido_assert_set_relying_party(fido_assert_t *assertion, const char *id) {
    return library.fido_assert_set_rp(assertion, id);
}

int vestibule_fido_assert_set_client_data_hash(fido_assert_t *assertion, const uint8_t *bytes, size_t count) {
    return library.fido_assert_set_clientdata_hash(assertion, bytes, count);
}

int vestibule_fido_assert_set_data(fido_assert_t *assertion, const uint8_t *bytes, size_t count) {
    int code = library.fido_assert_set_count(assertion, 1);
    return code == FIDO_OK ? library.fido_assert_set_authdata_raw(assertion, 0, bytes, count) : code;
}

int vestibule_fido_assert_expect(fido_assert_t *assertion, bool hmac_secret, bool blob) {
    return library.fido_assert_set_extensions(
        assertion, (hmac_secret ? FIDO_EXT_HMAC_SECRET : 0) | (blob ? FIDO_EXT_CRED_BLOB : 0));
}

int vestibule_fido_assert_set_signature(fido_assert_t *assertion, const uint8_t *bytes, size_t count) {
    return library.fido_assert_set_sig(assertion, 0, bytes, count);
}

int vestibule_fido_assert_demand(fido_assert_t *assertion, bool present, bool verified) {
    int code = library.fido_assert_set_up(assertion, present ? FIDO_OPT_TRUE : FIDO_OPT_OMIT);
    return code == FIDO_OK
        ? library.fido_assert_set_uv(assertion, verified ? FIDO_OPT_TRUE : FIDO_OPT_OMIT) : code;
}

int vestibule_fido_assert_verify(const fido_assert_t *assertion, int algorithm, const void *key) {
    return library.fido_assert_verify(assertion, 0, algorithm, key);
}
