#define _GNU_SOURCE
#include "gate.h"

#include "sockets.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// One for each descriptor that was ever gated. The core reads a descriptor on one thread at a time; what else changes is
// under the lock.
typedef struct entry {
  _Atomic(tmrpc_gate *) gate;
  _Atomic int64_t left;
  _Atomic int has_read;
  // The number of the gated socket.
  _Atomic uint64_t cookie;
  // The number of a socket of which nothing more is read: it has ended, whatever is left in it. 0: of none.
  _Atomic uint64_t ended;
  int is_stopped;
  // The passes of the loop that read it last, and how many they were; NULL: no loop.
  _Atomic uint64_t *passes;
  uint64_t pass;
} entry;

enum { PAGE_ENTRIES = 1024, PAGES = 4096, IOVECS = 64 };

struct tmrpc_gate {
  int bell;
  // Stopped and not told yet: a ring, as many as there are gated descriptors at most.
  int *stopped;
  size_t first, count, capacity;
};

static _Atomic(entry *) pages[PAGES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Of a loop's thread, which outlives its servers; 0 on other threads. And what has stopped in the pass, or -1.
static _Thread_local _Atomic uint64_t passes;
static _Thread_local int stopped_in_pass = -1;

typedef ssize_t (*receive_function)(int, struct msghdr *, int);

static receive_function system_recvmsg(void) {
  static _Atomic(receive_function) found;
  receive_function f = atomic_load_explicit(&found, memory_order_relaxed);
  if (!f) {
    f = (receive_function)dlsym(RTLD_NEXT, "recvmsg");
    atomic_store_explicit(&found, f, memory_order_relaxed);
  }
  return f;
}

static entry *find(int fd) {
  if (fd < 0 || fd >= PAGES * PAGE_ENTRIES) return NULL;
  entry *page = atomic_load_explicit(&pages[fd / PAGE_ENTRIES], memory_order_acquire);
  return page ? &page[fd % PAGE_ENTRIES] : NULL;
}

// Under the lock.
static int append_stopped(tmrpc_gate *g, int fd) {
  if (g->count == g->capacity) {
    size_t capacity = g->capacity ? 2 * g->capacity : 64;
    int *ring = malloc(capacity * sizeof *ring);
    if (!ring) return 0;
    for (size_t i = 0; i < g->count; i++) ring[i] = g->stopped[(g->first + i) % g->capacity];
    free(g->stopped);
    g->stopped = ring;
    g->first = 0;
    g->capacity = capacity;
  }
  g->stopped[(g->first + g->count) % g->capacity] = fd;
  g->count += 1;
  return 1;
}

static void stop(int fd, entry *e) {
  pthread_mutex_lock(&lock);
  tmrpc_gate *g = atomic_load_explicit(&e->gate, memory_order_relaxed);
  // Another thread may have given an allowance meanwhile: then the core has been told to look again.
  if (g && !e->is_stopped && atomic_load_explicit(&e->left, memory_order_relaxed) <= 0) {
    if (append_stopped(g, fd)) {
      e->is_stopped = 1;
      e->pass = atomic_load_explicit(&passes, memory_order_relaxed);
      e->passes = e->pass ? &passes : NULL;
      if (e->passes) stopped_in_pass = fd;
      if (g->count == 1) eventfd_write(g->bell, 1);
    } else {
      // Without memory for the list nobody would let the connection go on.
      shutdown(fd, SHUT_RDWR);
      atomic_store_explicit(&e->gate, NULL, memory_order_release);
    }
  }
  pthread_mutex_unlock(&lock);
}

// The descriptor of a gated socket is something else's by now: the core closes connections without a word.
static void let_through(entry *e, uint64_t cookie) {
  pthread_mutex_lock(&lock);
  if (atomic_load_explicit(&e->cookie, memory_order_relaxed) == cookie) {
    atomic_store_explicit(&e->gate, NULL, memory_order_release);
    atomic_store_explicit(&e->ended, 0, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
}

// In the place of the C library's for everything in the process, of which the core's sockets are gated.
ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  entry *e = find(fd);
  if (!e || (flags & MSG_ERRQUEUE) || !atomic_load_explicit(&e->gate, memory_order_acquire)) {
    return system_recvmsg()(fd, message, flags);
  }
  uint64_t ended = atomic_load_explicit(&e->ended, memory_order_acquire);
  if (ended) {
    if (tmrpc_socket_cookie(fd) != ended) {
      let_through(e, ended);
      return system_recvmsg()(fd, message, flags);
    }
    errno = ECONNRESET;
    return -1;
  }
  if (!atomic_load_explicit(&e->has_read, memory_order_relaxed)) {
    atomic_store_explicit(&e->has_read, 1, memory_order_relaxed);
  }
  int64_t left = atomic_load_explicit(&e->left, memory_order_acquire);
  if (left <= 0) {
    // Nobody could wake who polls a Unix socket.
    uint64_t cookie = atomic_load_explicit(&e->cookie, memory_order_relaxed);
    if (tmrpc_socket_cookie(fd) != cookie) {
      let_through(e, cookie);
      return system_recvmsg()(fd, message, flags);
    }
    stop(fd, e);
    errno = EAGAIN;
    return -1;
  }
  struct iovec parts[IOVECS];
  struct msghdr part = *message;
  size_t count = 0;
  int64_t room = left;
  while (count < message->msg_iovlen && count < IOVECS && room > 0) {
    parts[count] = message->msg_iov[count];
    if ((int64_t)parts[count].iov_len > room) parts[count].iov_len = (size_t)room;
    room -= (int64_t)parts[count].iov_len;
    count += 1;
  }
  part.msg_iov = parts;
  part.msg_iovlen = count;
  ssize_t taken = system_recvmsg()(fd, &part, flags);
  int error = errno;
  message->msg_controllen = part.msg_controllen;
  message->msg_flags = part.msg_flags;
  if (taken > 0) atomic_fetch_sub_explicit(&e->left, taken, memory_order_acq_rel);
  errno = error;
  return taken;
}

// The system wakes whoever polls the socket when this is set and there are bytes, as when they came. The core has asked
// for that when it was told that nothing is there; it sets the number itself to what it was only where it is not 1.
static void wake(int fd) {
  int bytes = 1;
  setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes);
}

tmrpc_gate *tmrpc_gate_create(void) {
  if (dlsym(RTLD_DEFAULT, "recvmsg") != (void *)recvmsg || !system_recvmsg()) return NULL;
  tmrpc_gate *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (g->bell >= 0) return g;
  free(g);
  return NULL;
}

void tmrpc_gate_destroy(tmrpc_gate *g) {
  if (!g) return;
  pthread_mutex_lock(&lock);
  for (int p = 0; p < PAGES; p++) {
    entry *page = atomic_load_explicit(&pages[p], memory_order_relaxed);
    for (int i = 0; page && i < PAGE_ENTRIES; i++) {
      if (atomic_load_explicit(&page[i].gate, memory_order_relaxed) != g) continue;
      atomic_store_explicit(&page[i].gate, NULL, memory_order_release);
      wake(p * PAGE_ENTRIES + i);
    }
  }
  pthread_mutex_unlock(&lock);
  close(g->bell);
  free(g->stopped);
  free(g);
}

int tmrpc_gate_bell(const tmrpc_gate *g) { return g->bell; }

int tmrpc_gate_add(tmrpc_gate *g, int fd, int64_t allowance) {
  if (fd < 0 || fd >= PAGES * PAGE_ENTRIES) return 0;
  pthread_mutex_lock(&lock);
  _Atomic(entry *) *page = &pages[fd / PAGE_ENTRIES];
  if (!atomic_load_explicit(page, memory_order_relaxed)) {
    entry *fresh = calloc(PAGE_ENTRIES, sizeof *fresh);
    if (fresh) atomic_store_explicit(page, fresh, memory_order_release);
  }
  entry *e = find(fd);
  if (e) {
    e->is_stopped = 0;
    atomic_store_explicit(&e->ended, 0, memory_order_relaxed);
    atomic_store_explicit(&e->has_read, 0, memory_order_relaxed);
    atomic_store_explicit(&e->cookie, tmrpc_socket_cookie(fd), memory_order_relaxed);
    atomic_store_explicit(&e->left, allowance, memory_order_relaxed);
    atomic_store_explicit(&e->gate, g, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return e != NULL;
}

int tmrpc_gate_has_read(int fd) {
  entry *e = find(fd);
  return e && atomic_load_explicit(&e->has_read, memory_order_relaxed);
}

size_t tmrpc_gate_stopped(tmrpc_gate *g, int *fds, size_t max) {
  eventfd_t rings;
  pthread_mutex_lock(&lock);
  size_t told = 0;
  while (told < max && g->count > 0) {
    fds[told++] = g->stopped[g->first];
    g->first = (g->first + 1) % g->capacity;
    g->count -= 1;
  }
  if (g->count == 0) eventfd_read(g->bell, &rings);
  pthread_mutex_unlock(&lock);
  return told;
}

int tmrpc_gate_has_passed(int fd) {
  pthread_mutex_lock(&lock);
  entry *e = find(fd);
  int has = e && e->passes && atomic_load_explicit(e->passes, memory_order_acquire) != e->pass;
  pthread_mutex_unlock(&lock);
  return has;
}

void tmrpc_gate_pass(void) {
  uint64_t before = atomic_load_explicit(&passes, memory_order_relaxed);
  atomic_store_explicit(&passes, before + 1, memory_order_release);
  if (stopped_in_pass < 0) return;
  pthread_mutex_lock(&lock);
  entry *e = find(stopped_in_pass);
  tmrpc_gate *g = e ? atomic_load_explicit(&e->gate, memory_order_relaxed) : NULL;
  if (g) eventfd_write(g->bell, 1);
  pthread_mutex_unlock(&lock);
  stopped_in_pass = -1;
}

void tmrpc_gate_allow(tmrpc_gate *g, int fd, int64_t allowance) {
  pthread_mutex_lock(&lock);
  entry *e = find(fd);
  int is_ours = e && atomic_load_explicit(&e->gate, memory_order_relaxed) == g && e->is_stopped;
  if (is_ours) {
    e->is_stopped = 0;
    atomic_store_explicit(&e->left, allowance, memory_order_release);
    wake(fd);
  }
  pthread_mutex_unlock(&lock);
}

int64_t tmrpc_gate_revoke(tmrpc_gate *g, int fd) {
  int64_t left = 0;
  pthread_mutex_lock(&lock);
  entry *e = find(fd);
  if (e && atomic_load_explicit(&e->gate, memory_order_relaxed) == g && !e->is_stopped) {
    left = atomic_exchange_explicit(&e->left, 0, memory_order_acq_rel);
  }
  pthread_mutex_unlock(&lock);
  return left > 0 ? left : 0;
}

void tmrpc_gate_remove(tmrpc_gate *g, int fd, uint64_t ended) {
  pthread_mutex_lock(&lock);
  entry *e = find(fd);
  if (e && atomic_load_explicit(&e->gate, memory_order_relaxed) == g) {
    e->is_stopped = 0;
    if (ended) {
      atomic_store_explicit(&e->ended, ended, memory_order_release);
    } else {
      atomic_store_explicit(&e->gate, NULL, memory_order_release);
    }
    wake(fd);
  }
  pthread_mutex_unlock(&lock);
}

int tmrpc_is_writable(int fd) {
  struct pollfd file = {.fd = fd, .events = POLLOUT};
  return poll(&file, 1, 0) == 1;
}

int tmrpc_has_hung_up(int fd) {
  struct pollfd file = {.fd = fd, .events = POLLRDHUP};
  return poll(&file, 1, 0) == 1;
}
