// Listening and accepting, as far as Swift's Glibc module does not show it; and gRPC's door for accepted connections.
#ifndef TRACKME_SOCKETS_H
#define TRACKME_SOCKETS_H

// First: see CGRPC/shim.h.
#include <sys/types.h>

#include <grpc/grpc.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

// Listens at an address, in both IP versions where that is the wildcard of IPv6. Connections send without delay, and
// end when what was sent to them is not acknowledged within `user_timeout_ms`. Returns minus errno when it fails.
int tmrpc_listen(const struct sockaddr *address, socklen_t length, int user_timeout_ms);
// The next connection, which never blocks, and the address at its other end. Returns minus errno when there is none.
int tmrpc_accept(int listener, struct sockaddr_storage *peer);

// A number that no other socket has or will have; 0 where the descriptor is no socket.
uint64_t tmrpc_socket_cookie(int fd);
// Ends the connection of that number, unless the descriptor has become something else's. Takes a descriptor meanwhile;
// returns 0 when there is none.
int tmrpc_socket_end(int fd, uint64_t cookie);

// Takes connections that the program has accepted into a gRPC server, with TLS or without. One for each server.
typedef struct tmrpc_acceptor tmrpc_acceptor;
tmrpc_acceptor *tmrpc_acceptor_create(void);
// After the server.
void tmrpc_acceptor_destroy(tmrpc_acceptor *a);
// The name of the server's argument, whose value is the acceptor, and of its port.
#define TMRPC_ACCEPTOR_NAME "external:trackme"
// Before the server's start. Returns 0 when gRPC refuses.
int tmrpc_acceptor_attach(tmrpc_acceptor *a, grpc_server *server, grpc_server_credentials *credentials);
// Gives a connection away, with its descriptor: between the server's start and the beginning of its shutdown.
void tmrpc_acceptor_take(tmrpc_acceptor *a, int listener, int fd);

#ifdef __cplusplus
}
#endif

#endif
