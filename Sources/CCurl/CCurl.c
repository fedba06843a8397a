#include "CCurl.h"
#include <dlfcn.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

// curl.h makes macros of two of these names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

// With the types of curl.h, so that a call with another one does not compile.
static struct {
    __typeof__(&curl_global_init) global_init;
    __typeof__(&curl_easy_init) make;
    __typeof__(&curl_easy_setopt) set;
    __typeof__(&curl_easy_perform) perform;
    __typeof__(&curl_easy_getinfo) get;
    __typeof__(&curl_easy_cleanup) free;
    __typeof__(&curl_easy_strerror) text;
    __typeof__(&curl_slist_append) list_append;
    __typeof__(&curl_slist_free_all) list_free;
} library;

static bool find(void *handle, const char *name, void **function) {
    *function = dlsym(handle, name);
    return *function != NULL;
}

bool vestibule_curl_load(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    return handle && find(handle, "curl_global_init", (void **)&library.global_init)
        && find(handle, "curl_easy_init", (void **)&library.make)
        && find(handle, "curl_easy_setopt", (void **)&library.set)
        && find(handle, "curl_easy_perform", (void **)&library.perform)
        && find(handle, "curl_easy_getinfo", (void **)&library.get)
        && find(handle, "curl_easy_cleanup", (void **)&library.free)
        && find(handle, "curl_easy_strerror", (void **)&library.text)
        && find(handle, "curl_slist_append", (void **)&library.list_append)
        && find(handle, "curl_slist_free_all", (void **)&library.list_free)
        && library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

CURL *vestibule_curl_make(void) { return library.make(); }

CURLcode vestibule_curl_perform(CURL *handle) { return library.perform(handle); }

void vestibule_curl_free(CURL *handle) { library.free(handle); }

const char *vestibule_curl_text(CURLcode code) { return library.text(code); }

struct curl_slist *vestibule_curl_list_append(struct curl_slist *list, const char *text) {
    return library.list_append(list, text);
}

void vestibule_curl_list_free(struct curl_slist *list) { library.list_free(list); }

CURLcode vestibule_curl_set_number(CURL *handle, CURLoption option, long value) {
    return library.set(handle, option, value);
}

CURLcode vestibule_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return library.set(handle, option, value);
}

CURLcode vestibule_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return library.set(handle, option, value);
}

CURLcode vestibule_curl_set_recipients(CURL *handle, const struct curl_slist *list) {
    return library.set(handle, CURLOPT_MAIL_RCPT, list);
}

CURLcode vestibule_curl_set_reader(CURL *handle, curl_read_callback read, void *source) {
    CURLcode code = library.set(handle, CURLOPT_READFUNCTION, read);
    return code == CURLE_OK ? library.set(handle, CURLOPT_READDATA, source) : code;
}

CURLcode vestibule_curl_set_writer(CURL *handle, curl_write_callback write) {
    return library.set(handle, CURLOPT_WRITEFUNCTION, write);
}

CURLcode vestibule_curl_set_receiver(CURL *handle, curl_write_callback write, void *target) {
    CURLcode code = library.set(handle, CURLOPT_WRITEFUNCTION, write);
    return code == CURLE_OK ? library.set(handle, CURLOPT_WRITEDATA, target) : code;
}

CURLcode vestibule_curl_set_observer(CURL *handle, curl_debug_callback observe, void *target) {
    CURLcode code = library.set(handle, CURLOPT_DEBUGFUNCTION, observe);
    if (code == CURLE_OK) code = library.set(handle, CURLOPT_DEBUGDATA, target);
    return code == CURLE_OK ? library.set(handle, CURLOPT_VERBOSE, 1L) : code;
}

CURLcode vestibule_curl_set_headers(CURL *handle, const struct curl_slist *headers) {
    return library.set(handle, CURLOPT_HTTPHEADER, headers);
}

CURLcode vestibule_curl_set_post(CURL *handle, const char *body) {
    CURLcode code = library.set(handle, CURLOPT_POST, 1L);
    return code == CURLE_OK ? library.set(handle, CURLOPT_COPYPOSTFIELDS, body) : code;
}

static size_t read_nothing(char *buffer, size_t size, size_t count, void *source) {
    (void)buffer, (void)size, (void)count, (void)source;
    return 0;
}

static int add_trailers(struct curl_slist **list, void *trailers) {
    for (struct curl_slist *line = trailers; line; line = line->next) {
        *list = library.list_append(*list, line->data);
    }
    return CURL_TRAILERFUNC_OK;
}

CURLcode vestibule_curl_set_trailers(CURL *handle, struct curl_slist *trailers) {
    CURLcode code = library.set(handle, CURLOPT_POST, 1L);
    if (code == CURLE_OK) code = library.set(handle, CURLOPT_READFUNCTION, read_nothing);
    if (code == CURLE_OK) code = library.set(handle, CURLOPT_TRAILERFUNCTION, add_trailers);
    return code == CURLE_OK ? library.set(handle, CURLOPT_TRAILERDATA, trailers) : code;
}

CURLcode vestibule_curl_allow_only_web(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return library.set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return library.set(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

CURLcode vestibule_curl_allow_only_mail(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return library.set(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
    return library.set(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
}

long vestibule_curl_reply_code(CURL *handle) {
    long code = 0;
    return library.get(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}
