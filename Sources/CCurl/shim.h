#pragma once
// The type-checking macros of curl.h stand in the way of the wrappers below, which have types of their own.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift cannot call variadic functions; each wrapper passes exactly the C type its options document.

static inline CURLcode vestibule_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vestibule_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vestibule_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode vestibule_curl_set_recipients(CURL *handle, const struct curl_slist *list) {
    return curl_easy_setopt(handle, CURLOPT_MAIL_RCPT, list);
}

static inline CURLcode vestibule_curl_set_reader(CURL *handle, curl_read_callback read, void *source) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_READDATA, source) : code;
}

static inline CURLcode vestibule_curl_set_writer(CURL *handle, curl_write_callback write) {
    return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
}

static inline CURLcode vestibule_curl_set_receiver(CURL *handle, curl_write_callback write, void *target) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, target) : code;
}

static inline CURLcode vestibule_curl_set_headers(CURL *handle, const struct curl_slist *headers) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

// Copies the text, so that the caller need not keep it.
static inline CURLcode vestibule_curl_set_post(CURL *handle, const char *body) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POST, 1L);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, body) : code;
}

static inline CURLcode vestibule_curl_allow_only_web(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static inline CURLcode vestibule_curl_allow_only_mail(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
}

// The last reply code of the server, 0 when there was none.
static inline long vestibule_curl_reply_code(CURL *handle) {
    long code = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}
