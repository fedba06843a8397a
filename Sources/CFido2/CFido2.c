#include "CFido2.h"
#include <dlfcn.h>
#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>

#ifdef __APPLE__
#define LIBRARY "libfido2.1.dylib"
#else
#define LIBRARY "libfido2.so.1"
#endif

// With the types of fido.h, so that a call with another one does not compile.
static struct {
    __typeof__(&fido_init) init;
    __typeof__(&fido_cred_new) cred_new;
    __typeof__(&fido_cred_free) cred_free;
    __typeof__(&fido_cred_set_type) cred_set_type;
    __typeof__(&fido_cred_set_authdata_raw) cred_set_data;
    __typeof__(&fido_cred_id_ptr) cred_id;
    __typeof__(&fido_cred_id_len) cred_id_count;
    __typeof__(&fido_cred_pubkey_ptr) cred_key;
    __typeof__(&fido_cred_pubkey_len) cred_key_count;
    __typeof__(&es256_pk_new) es256_new;
    __typeof__(&es256_pk_free) es256_free;
    __typeof__(&es256_pk_from_ptr) es256_from;
    __typeof__(&eddsa_pk_new) eddsa_new;
    __typeof__(&eddsa_pk_free) eddsa_free;
    __typeof__(&eddsa_pk_from_ptr) eddsa_from;
    __typeof__(&rs256_pk_new) rs256_new;
    __typeof__(&rs256_pk_free) rs256_free;
    __typeof__(&rs256_pk_from_ptr) rs256_from;
    __typeof__(&fido_assert_new) assert_new;
    __typeof__(&fido_assert_free) assert_free;
    __typeof__(&fido_assert_set_rp) assert_set_rp;
    __typeof__(&fido_assert_set_clientdata_hash) assert_set_hash;
    __typeof__(&fido_assert_set_count) assert_set_count;
    __typeof__(&fido_assert_set_authdata_raw) assert_set_data;
    __typeof__(&fido_assert_set_sig) assert_set_sig;
    __typeof__(&fido_assert_set_extensions) assert_set_extensions;
    __typeof__(&fido_assert_set_up) assert_set_up;
    __typeof__(&fido_assert_set_uv) assert_set_uv;
    __typeof__(&fido_assert_verify) assert_verify;
} library;

static bool find(void *handle, const char *name, void **function) {
    *function = dlsym(handle, name);
    return *function != NULL;
}

static bool find_credentials(void *handle) {
    return find(handle, "fido_cred_new", (void **)&library.cred_new)
        && find(handle, "fido_cred_free", (void **)&library.cred_free)
        && find(handle, "fido_cred_set_type", (void **)&library.cred_set_type)
        && find(handle, "fido_cred_set_authdata_raw", (void **)&library.cred_set_data)
        && find(handle, "fido_cred_id_ptr", (void **)&library.cred_id)
        && find(handle, "fido_cred_id_len", (void **)&library.cred_id_count)
        && find(handle, "fido_cred_pubkey_ptr", (void **)&library.cred_key)
        && find(handle, "fido_cred_pubkey_len", (void **)&library.cred_key_count);
}

static bool find_keys(void *handle) {
    return find(handle, "es256_pk_new", (void **)&library.es256_new)
        && find(handle, "es256_pk_free", (void **)&library.es256_free)
        && find(handle, "es256_pk_from_ptr", (void **)&library.es256_from)
        && find(handle, "eddsa_pk_new", (void **)&library.eddsa_new)
        && find(handle, "eddsa_pk_free", (void **)&library.eddsa_free)
        && find(handle, "eddsa_pk_from_ptr", (void **)&library.eddsa_from)
        && find(handle, "rs256_pk_new", (void **)&library.rs256_new)
        && find(handle, "rs256_pk_free", (void **)&library.rs256_free)
        && find(handle, "rs256_pk_from_ptr", (void **)&library.rs256_from);
}

static bool find_assertions(void *handle) {
    return find(handle, "fido_assert_new", (void **)&library.assert_new)
        && find(handle, "fido_assert_free", (void **)&library.assert_free)
        && find(handle, "fido_assert_set_rp", (void **)&library.assert_set_rp)
        && find(handle, "fido_assert_set_clientdata_hash", (void **)&library.assert_set_hash)
        && find(handle, "fido_assert_set_count", (void **)&library.assert_set_count)
        && find(handle, "fido_assert_set_authdata_raw", (void **)&library.assert_set_data)
        && find(handle, "fido_assert_set_sig", (void **)&library.assert_set_sig)
        && find(handle, "fido_assert_set_extensions", (void **)&library.assert_set_extensions)
        && find(handle, "fido_assert_set_up", (void **)&library.assert_set_up)
        && find(handle, "fido_assert_set_uv", (void **)&library.assert_set_uv)
        && find(handle, "fido_assert_verify", (void **)&library.assert_verify);
}

bool vestibule_fido_load(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!handle || !find(handle, "fido_init", (void **)&library.init) || !find_credentials(handle)
        || !find_keys(handle) || !find_assertions(handle))
        return false;
    library.init(0);
    return true;
}

fido_cred_t *vestibule_fido_cred_make(void) { return library.cred_new(); }

void vestibule_fido_cred_free(fido_cred_t *credential) { library.cred_free(&credential); }

int vestibule_fido_cred_set_type(fido_cred_t *credential, int algorithm) {
    return library.cred_set_type(credential, algorithm);
}

int vestibule_fido_cred_set_data(fido_cred_t *credential, const uint8_t *bytes, size_t count) {
    return library.cred_set_data(credential, bytes, count);
}

const uint8_t *vestibule_fido_cred_id(const fido_cred_t *credential, size_t *count) {
    *count = library.cred_id_count(credential);
    return library.cred_id(credential);
}

const uint8_t *vestibule_fido_cred_key(const fido_cred_t *credential, size_t *count) {
    *count = library.cred_key_count(credential);
    return library.cred_key(credential);
}

void *vestibule_fido_key_make(int algorithm, const uint8_t *bytes, size_t count) {
    void *key = NULL;
    int code = FIDO_ERR_UNSUPPORTED_ALGORITHM;
    switch (algorithm) {
    case COSE_ES256:
        if ((key = library.es256_new())) code = library.es256_from(key, bytes, count);
        break;
    case COSE_EDDSA:
        if ((key = library.eddsa_new())) code = library.eddsa_from(key, bytes, count);
        break;
    case COSE_RS256:
        if ((key = library.rs256_new())) code = library.rs256_from(key, bytes, count);
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
    case COSE_ES256: library.es256_free((es256_pk_t **)&key); break;
    case COSE_EDDSA: library.eddsa_free((eddsa_pk_t **)&key); break;
    case COSE_RS256: library.rs256_free((rs256_pk_t **)&key); break;
    }
}

fido_assert_t *vestibule_fido_assert_make(void) { return library.assert_new(); }

void vestibule_fido_assert_free(fido_assert_t *assertion) { library.assert_free(&assertion); }

int vestibule_fido_assert_set_relying_party(fido_assert_t *assertion, const char *id) {
    return library.assert_set_rp(assertion, id);
}

int vestibule_fido_assert_set_client_data_hash(fido_assert_t *assertion, const uint8_t *bytes, size_t count) {
    return library.assert_set_hash(assertion, bytes, count);
}

int vestibule_fido_assert_set_data(fido_assert_t *assertion, const uint8_t *bytes, size_t count) {
    int code = library.assert_set_count(assertion, 1);
    return code == FIDO_OK ? library.assert_set_data(assertion, 0, bytes, count) : code;
}

int vestibule_fido_assert_expect(fido_assert_t *assertion, bool hmac_secret, bool blob) {
    return library.assert_set_extensions(
        assertion, (hmac_secret ? FIDO_EXT_HMAC_SECRET : 0) | (blob ? FIDO_EXT_CRED_BLOB : 0));
}

int vestibule_fido_assert_set_signature(fido_assert_t *assertion, const uint8_t *bytes, size_t count) {
    return library.assert_set_sig(assertion, 0, bytes, count);
}

int vestibule_fido_assert_demand(fido_assert_t *assertion, bool present, bool verified) {
    int code = library.assert_set_up(assertion, present ? FIDO_OPT_TRUE : FIDO_OPT_OMIT);
    return code == FIDO_OK
        ? library.assert_set_uv(assertion, verified ? FIDO_OPT_TRUE : FIDO_OPT_OMIT) : code;
}

int vestibule_fido_assert_verify(const fido_assert_t *assertion, int algorithm, const void *key) {
    return library.assert_verify(assertion, 0, algorithm, key);
}
