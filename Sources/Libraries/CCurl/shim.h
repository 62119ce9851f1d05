// libcurl's public header. The module map links libcurl.
#include <curl/curl.h>
