#include "CCurl.h"
#include <CLoading.h>

// curl.h makes macros of two of these names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(X) \
    X(curl_global_init) X(curl_easy_init) X(curl_easy_setopt) X(curl_easy_perform) X(curl_easy_getinfo) \
    X(curl_easy_cleanup) X(curl_easy_strerror) X(curl_slist_append) X(curl_slist_free_all)
static struct { FUNCTIONS(LOADED_FUNCTION) } library;
LOADED_LIBRARY("libcurl", 4, FUNCTIONS)

bool vestibule_curl_load(void) { return load() && library.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }

CURL *vestibule_curl_make(void) { return library.curl_easy_init(); }

CURLcode vestibule_curl_perform(CURL *handle) { return library.curl_easy_perform(handle); }

void vestibule_curl_free(CURL *handle) { library.curl_easy_cleanup(handle); }

const char *vestibule_curl_text(CURLcode code) { return library.curl_easy_strerror(code); }

struct curl_slist *vestibule_curl_list_append(struct curl_slist *list, const char *text) {
    return library.curl_slist_append(list, text);
}

void vestibule_curl_list_free(struct curl_slist *list) { library.curl_slist_free_all(list); }

CURLcode vestibule_curl_set_number(CURL *handle, CURLoption option, long value) {
    return library.curl_easy_setopt(handle, option, value);
}

CURLcode vestibule_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return library.curl_easy_setopt(handle, option, value);
}

CURLcode vestibule_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return library.curl_easy_setopt(handle, option, value);
}

CURLcode vestibule_curl_set_recipients(CURL *handle, const struct curl_slist *list) {
    return library.curl_easy_setopt(handle, CURLOPT_MAIL_RCPT, list);
}

CURLcode vestibule_curl_set_reader(CURL *handle, curl_read_callback read, void *source) {
    CURLcode code = library.curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
    return code == CURLE_OK ? library.curl_easy_setopt(handle, CURLOPT_READDATA, source) : code;
}

CURLcode vestibule_curl_set_writer(CURL *handle, curl_write_callback write) {
    return library.curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
}

CURLcode vestibule_curl_set_receiver(CURL *handle, curl_write_callback write, void *target) {
    CURLcode code = library.curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
    return code == CURLE_OK ? library.curl_easy_setopt(handle, CURLOPT_WRITEDATA, target) : code;
}

CURLcode vestibule_curl_set_opener(CURL *handle, curl_opensocket_callback open, void *target) {
    CURLcode code = library.curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
    return code == CURLE_OK ? library.curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, target) : code;
}

CURLcode vestibule_curl_set_observer(CURL *handle, curl_debug_callback observe, void *target) {
    CURLcode code = library.curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, observe);
    if (code == CURLE_OK) code = library.curl_easy_setopt(handle, CURLOPT_DEBUGDATA, target);
    return code == CURLE_OK ? library.curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L) : code;
}

CURLcode vestibule_curl_set_headers(CURL *handle, const struct curl_slist *headers) {
    return library.curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

CURLcode vestibule_curl_set_post(CURL *handle, const char *body) {
    CURLcode code = library.curl_easy_setopt(handle, CURLOPT_POST, 1L);
    return code == CURLE_OK ? library.curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, body) : code;
}

static size_t read_nothing(char *buffer, size_t size, size_t count, void *source) {
    (void)buffer, (void)size, (void)count, (void)source;
    return 0;
}

static int add_trailers(struct curl_slist **list, void *trailers) {
    for (struct curl_slist *line = trailers; line; line = line->next) {
        *list = library.curl_slist_append(*list, line->data);
    }
    return CURL_TRAILERFUNC_OK;
}

CURLcode vestibule_curl_set_trailers(CURL *handle, struct curl_slist *trailers) {
    CURLcode code = library.curl_easy_setopt(handle, CURLOPT_POST, 1L);
    if (code == CURLE_OK) code = library.curl_easy_setopt(handle, CURLOPT_READFUNCTION, read_nothing);
    if (code == CURLE_OK) code = library.curl_easy_setopt(handle, CURLOPT_TRAILERFUNCTION, add_trailers);
    return code == CURLE_OK ? library.curl_easy_setopt(handle, CURLOPT_TRAILERDATA, trailers) : code;
}

CURLcode vestibule_curl_allow_only_web(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return library.curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return library.curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

CURLcode vestibule_curl_allow_only_mail(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return library.curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
    return library.curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
}

long vestibule_curl_reply_code(CURL *handle) {
    long code = 0;
    return library.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}
