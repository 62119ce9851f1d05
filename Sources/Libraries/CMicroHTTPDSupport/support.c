#include "microhttpd_support.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

// libmicrohttpd decodes addresses in place otherwise, and what was sent is lost.
static size_t keep_encoded(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

struct MHD_Daemon *tmhttpd_start(int listener, unsigned int connections, size_t connection_bytes,
                                 const tmhttpd_calls *calls) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, calls->accept, calls->context, calls->request,
      calls->context, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes, MHD_OPTION_NOTIFY_CONNECTION, calls->connection,
      calls->context, MHD_OPTION_NOTIFY_COMPLETED, calls->completed, calls->context, MHD_OPTION_URI_LOG_CALLBACK,
      calls->uri, calls->context, MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, NULL, MHD_OPTION_END);
}

int tmhttpd_socket(struct MHD_Connection *connection) {
  return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

void tmhttpd_shutdown(int socket) { shutdown(socket, SHUT_RDWR); }

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
