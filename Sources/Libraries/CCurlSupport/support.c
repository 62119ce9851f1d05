#include "curl_support.h"

CURLcode tmcurl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode tmcurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

CURLcode tmcurl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

CURLcode tmcurl_set_receiver(CURL *handle, tmcurl_data body, tmcurl_data header, tmcurl_keep_on keep_on,
                             void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, keep_on);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  return code;
}

CURLcode tmcurl_set_upload(CURL *handle, tmcurl_data read, curl_off_t count, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, count);
  return code;
}

long tmcurl_response_code(CURL *handle) {
  long code = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
  return code;
}

CURLcode tmcurl_set_post(CURL *handle, const void *content, curl_off_t count) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POST, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, content);
  return code;
}

long tmcurl_request_bytes(CURL *handle) {
  long count = 0;
  curl_easy_getinfo(handle, CURLINFO_REQUEST_SIZE, &count);
  return count;
}

curl_off_t tmcurl_uploaded_bytes(CURL *handle) {
  curl_off_t count = 0;
  curl_easy_getinfo(handle, CURLINFO_SIZE_UPLOAD_T, &count);
  return count;
}
