// libpq's public header. The module map links libpq; nothing else belongs here.
#include <libpq-fe.h>
