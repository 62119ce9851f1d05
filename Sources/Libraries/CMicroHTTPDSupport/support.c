#include "microhttpd_support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// libmicrohttpd decodes addresses in place otherwise, and what was sent is lost.
static size_t keep_encoded(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

struct MHD_Daemon *tmhttpd_start(int listener, unsigned int connections, size_t connection_bytes,
                                 const tmhttpd_calls *calls) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, calls->accept, calls->context,
      calls->request, calls->context, MHD_OPTION_EXTERNAL_LOGGER, calls->said, calls->context, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes, MHD_OPTION_NOTIFY_CONNECTION, calls->connection,
      calls->context, MHD_OPTION_NOTIFY_COMPLETED, calls->completed, calls->context, MHD_OPTION_URI_LOG_CALLBACK,
      calls->uri, calls->context, MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, NULL, MHD_OPTION_END);
}

int tmhttpd_socket(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

void tmhttpd_refuse(int socket, unsigned int status) {
  char date[40], answer[300];
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
  int count = snprintf(answer, sizeof answer,
                       "HTTP/1.1 %u %s\r\nDate: %s\r\nContent-Type: text/plain; charset=utf-8\r\n"
                       "Cache-Control: no-store\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                       status, MHD_get_reason_phrase_for(status), date);
  ssize_t sent;
  do sent = send(socket, answer, (size_t)count, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  tmhttpd_shutdown(socket);
}

void tmhttpd_shutdown(int socket) { shutdown(socket, SHUT_RDWR); }

int tmhttpd_send(int socket, const void *bytes, size_t count, int is_chunk, size_t *sent) {
  char size[24];
  size_t head = is_chunk ? (size_t)snprintf(size, sizeof size, "%zx\r\n", count) : 0;
  struct iovec parts[3] = {{size, head}, {(void *)bytes, count}, {"\r\n", is_chunk ? 2 : 0}};
  size_t total = head + count + parts[2].iov_len;
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3};
  size_t skipped = *sent;
  while (skipped >= message.msg_iov->iov_len && message.msg_iovlen > 1) {
    skipped -= message.msg_iov->iov_len;
    message.msg_iov++;
    message.msg_iovlen--;
  }
  message.msg_iov->iov_base = (char *)message.msg_iov->iov_base + skipped;
  message.msg_iov->iov_len -= skipped;
  ssize_t taken;
  do taken = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (taken < 0 && errno == EINTR);
  if (taken < 0) return errno == EAGAIN || errno == ENOBUFS ? TMHTTPD_FULL : TMHTTPD_BROKEN;
  *sent += (size_t)taken;
  return *sent == total ? TMHTTPD_SENT : TMHTTPD_FULL;
}

int tmhttpd_poller_open(tmhttpd_poller *poller) {
  poller->epoll = epoll_create1(EPOLL_CLOEXEC);
  poller->stop = eventfd(0, EFD_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = poller->stop};
  if (poller->epoll >= 0 && poller->stop >= 0 && epoll_ctl(poller->epoll, EPOLL_CTL_ADD, poller->stop, &event) == 0)
    return 0;
  tmhttpd_poller_close(*poller);
  return -1;
}

void tmhttpd_poller_close(tmhttpd_poller poller) {
  if (poller.epoll >= 0) close(poller.epoll);
  if (poller.stop >= 0) close(poller.stop);
}

void tmhttpd_poller_watch(tmhttpd_poller poller, int socket) {
  struct epoll_event event = {.events = EPOLLOUT | EPOLLONESHOT, .data.fd = socket};
  if (epoll_ctl(poller.epoll, EPOLL_CTL_MOD, socket, &event) != 0 && errno == ENOENT)
    epoll_ctl(poller.epoll, EPOLL_CTL_ADD, socket, &event);
}

void tmhttpd_poller_forget(tmhttpd_poller poller, int socket) {
  epoll_ctl(poller.epoll, EPOLL_CTL_DEL, socket, NULL);
}

int tmhttpd_poller_wait(tmhttpd_poller poller, int *sockets, int max) {
  struct epoll_event events[256];
  int count;
  do count = epoll_wait(poller.epoll, events, max < 256 ? max : 256, -1);
  while (count < 0 && errno == EINTR);
  for (int index = 0; index < count; index++) {
    if (events[index].data.fd == poller.stop) return -1;
    sockets[index] = events[index].data.fd;
  }
  return count;
}

void tmhttpd_poller_stop(tmhttpd_poller poller) { eventfd_write(poller.stop, 1); }

int tmhttpd_discard(int socket) {
  // Not for ever, where a client sends as fast as this reads.
  for (int turn = 0; turn < 64; turn++) {
    ssize_t count = recv(socket, NULL, 64 << 10, MSG_TRUNC | MSG_DONTWAIT);
    if (count > 0) continue;
    return count < 0 && (errno == EAGAIN || errno == EINTR);
  }
  return 1;
}

const struct sockaddr *tmhttpd_address(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
}

void *tmhttpd_socket_context(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

int tmhttpd_is_suspended(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_SUSPENDED)->suspended == MHD_YES;
}

size_t tmhttpd_head_bytes(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

int tmhttpd_values(struct MHD_Connection *connection) {
  return MHD_get_connection_values(connection, MHD_HEADER_KIND | MHD_COOKIE_KIND | MHD_GET_ARGUMENT_KIND, NULL, NULL);
}

struct MHD_Response *tmhttpd_response(long long count, size_t block, MHD_ContentReaderCallback reader, void *context,
                                      MHD_ContentReaderFreeCallback release) {
  return MHD_create_response_from_callback(count < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)count, block, reader, context,
                                           release);
}

void tmhttpd_without_chunks(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

const ssize_t tmhttpd_end = MHD_CONTENT_READER_END_OF_STREAM;
const ssize_t tmhttpd_failed = MHD_CONTENT_READER_END_WITH_ERROR;
