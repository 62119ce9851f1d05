// What Swift cannot say about libcurl: curl_easy_setopt and curl_easy_getinfo take variable arguments.
#ifndef TRACKME_CCURL_SUPPORT_H
#define TRACKME_CCURL_SUPPORT_H

#include <curl/curl.h>
#include <stddef.h>

// What libcurl calls on the thread of tmcurl_perform, with the context. Data: returns count, or another number to give
// up. Read: returns how many bytes it wrote, 0 at the end. Keep on: returns 0, or another number to give up.
typedef size_t (*tmcurl_data)(char *bytes, size_t size, size_t count, void *context);
typedef int (*tmcurl_keep_on)(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d);

CURLcode tmcurl_set_number(CURL *handle, CURLoption option, long value);
// libcurl copies the text.
CURLcode tmcurl_set_text(CURL *handle, CURLoption option, const char *value);
// The list must live until the handle's cleanup.
CURLcode tmcurl_set_list(CURL *handle, CURLoption option, struct curl_slist *list);

// Body and header lines (in SMTP: replies) that arrive; asked now and then whether to keep on.
CURLcode tmcurl_set_receiver(CURL *handle, tmcurl_data body, tmcurl_data header, tmcurl_keep_on keep_on, void *context);
// The message that is sent.
CURLcode tmcurl_set_upload(CURL *handle, tmcurl_data read, curl_off_t count, void *context);

// The content of a POST; libcurl copies it.
CURLcode tmcurl_set_post(CURL *handle, const void *content, curl_off_t count);

long tmcurl_response_code(CURL *handle);
// What went out in the last call: of the requests' headers, and of the content.
long tmcurl_request_bytes(CURL *handle);
curl_off_t tmcurl_uploaded_bytes(CURL *handle);

#endif
