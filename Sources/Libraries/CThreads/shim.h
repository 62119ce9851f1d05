// glibc shows the function below only to programs that define _GNU_SOURCE, which Swift's Glibc module does not; nor does
// that have malloc.h.
#include <malloc.h>
#include <pthread.h>

int pthread_setname_np(pthread_t thread, const char *name);
