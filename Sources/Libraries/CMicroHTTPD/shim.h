// GNU libmicrohttpd's public header. The module map links libmicrohttpd.
#include <microhttpd.h>
