#pragma once
// The type-checking macros of curl.h stand in the way of the wrappers below, which have types of their own.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>

/* libcurl, loaded when first needed: it brings two dozen libraries along (Kerberos, LDAP, another TLS), several MiB that
   a server without SMTP and providers never touches. Nothing below may be called before `vestibule_curl_load`. */

// Loads libcurl and starts it (curl_global_init); to be called once. False when it is missing or does not start.
bool vestibule_curl_load(void);

// The functions of libcurl by the same names (see its manual).
CURL *vestibule_curl_make(void);
CURLcode vestibule_curl_perform(CURL *handle);
void vestibule_curl_free(CURL *handle);
const char *vestibule_curl_text(CURLcode code);
struct curl_slist *vestibule_curl_list_append(struct curl_slist *list, const char *text);
void vestibule_curl_list_free(struct curl_slist *list);

// Swift cannot call variadic functions; each wrapper passes exactly the C type its options document.

CURLcode vestibule_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode vestibule_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode vestibule_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode vestibule_curl_set_recipients(CURL *handle, const struct curl_slist *list);
CURLcode vestibule_curl_set_reader(CURL *handle, curl_read_callback read, void *source);
CURLcode vestibule_curl_set_writer(CURL *handle, curl_write_callback write);
CURLcode vestibule_curl_set_receiver(CURL *handle, curl_write_callback write, void *target);
// Opens the socket to each address that is tried, after its name was looked up.
CURLcode vestibule_curl_set_opener(CURL *handle, curl_opensocket_callback open, void *target);
CURLcode vestibule_curl_set_headers(CURL *handle, const struct curl_slist *headers);
// Tells `observe` of everything that is said, both ways; the password among it.
CURLcode vestibule_curl_set_observer(CURL *handle, curl_debug_callback observe, void *target);
// Copies the text, so that the caller need not keep it.
CURLcode vestibule_curl_set_post(CURL *handle, const char *body);
// An empty body in chunks, and lines behind it (RFC 9112 section 7.1.2). The list must live as long as the handle.
CURLcode vestibule_curl_set_trailers(CURL *handle, struct curl_slist *trailers);
CURLcode vestibule_curl_allow_only_web(CURL *handle);
CURLcode vestibule_curl_allow_only_mail(CURL *handle);
// The last reply code of the server, 0 when there was none.
long vestibule_curl_reply_code(CURL *handle);
