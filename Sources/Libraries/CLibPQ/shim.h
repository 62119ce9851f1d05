// libpq's public header. The module map links libpq.
#include <libpq-fe.h>

// glibc shows these two only to programs that define _GNU_SOURCE, which Swift's Glibc module does not. Starting PostgreSQL
// needs them.
#include <spawn.h>

int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
