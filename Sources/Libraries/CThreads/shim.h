// glibc shows this only to programs that define _GNU_SOURCE, which Swift's Glibc module does not.
#include <pthread.h>

int pthread_setname_np(pthread_t thread, const char *name);
