#define _GNU_SOURCE
#include "sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

static int set(int fd, int level, int option, int value) {
  return setsockopt(fd, level, option, &value, sizeof value);
}

int tmrpc_listen(const struct sockaddr *address, socklen_t length, int user_timeout_ms) {
  int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  // Without SO_REUSEPORT: a second server on the port must fail to start, not take half of the connections.
  int failed = address->sa_family != AF_UNIX &&
               (set(fd, SOL_SOCKET, SO_REUSEADDR, 1) || set(fd, IPPROTO_TCP, TCP_NODELAY, 1) ||
                set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, user_timeout_ms));
  if (address->sa_family == AF_INET6) failed = failed || set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  // The kernel lowers the number to net.core.somaxconn.
  if (failed || bind(fd, address, length) || listen(fd, 65535)) {
    int reason = errno;
    close(fd);
    return -reason;
  }
  return fd;
}

int tmrpc_accept(int listener, struct sockaddr_storage *peer) {
  socklen_t length = sizeof *peer;
  int fd = accept4(listener, (struct sockaddr *)peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

uint64_t tmrpc_socket_cookie(int fd) {
  uint64_t cookie = 0;
  socklen_t length = sizeof cookie;
  return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length) ? 0 : cookie;
}

int tmrpc_socket_end(int fd, uint64_t cookie) {
  // A descriptor of our own: whoever closes the other, and opens something else under its number, changes nothing here.
  int ours = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (ours < 0) return errno == EBADF;
  if (tmrpc_socket_cookie(ours) == cookie) shutdown(ours, SHUT_RDWR);
  close(ours);
  return 1;
}
