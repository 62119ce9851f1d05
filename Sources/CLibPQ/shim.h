// libpq's public header. The module map links libpq.
#include <libpq-fe.h>

// glibc shows these three only to programs that define _GNU_SOURCE, which Swift's Glibc module does not. Starting and
// naming things for PostgreSQL needs them.
#include <pthread.h>
#include <spawn.h>

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int pthread_setname_np(pthread_t thread, const char *name);
