// libzip's public header. The module map links libzip.
#include <zip.h>
