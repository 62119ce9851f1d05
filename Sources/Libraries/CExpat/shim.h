// libexpat's public header. The module map links libexpat.
#include <expat.h>
