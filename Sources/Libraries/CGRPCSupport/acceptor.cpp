// gRPC's core takes connections that the program has accepted: handshakes, limits and shutdown are as with its own.
// Only its C++ library offers that, as a class over this interface of the core, which has no installed header. It has
// been the same since it exists (1.23).
#include "sockets.h"

#include <grpc/grpc_security.h>
#include <grpc/support/alloc.h>

namespace grpc_core {
class TcpServerFdHandler {
 public:
  virtual ~TcpServerFdHandler() = default;
  virtual void Handle(int listener_fd, int fd, grpc_byte_buffer *pending_read) = 0;
};
}  // namespace grpc_core

// The core writes its handler here, through the server's argument, and deletes it itself.
struct tmrpc_acceptor {
  grpc_core::TcpServerFdHandler *handler;
};

tmrpc_acceptor *tmrpc_acceptor_create() { return static_cast<tmrpc_acceptor *>(gpr_zalloc(sizeof(tmrpc_acceptor))); }

void tmrpc_acceptor_destroy(tmrpc_acceptor *a) { gpr_free(a); }

int tmrpc_acceptor_attach(tmrpc_acceptor *a, grpc_server *server, grpc_server_credentials *credentials) {
  // There is no port to be returned: whether it worked shows in the handler.
  grpc_server_add_http2_port(server, TMRPC_ACCEPTOR_NAME, credentials);
  return a->handler != nullptr;
}

void tmrpc_acceptor_take(tmrpc_acceptor *a, int listener, int fd) { a->handler->Handle(listener, fd, nullptr); }
