// How much of a connection the core reads: between its recvmsg and the system's.
//
// gRPC 1.51 reads a connection for as long as bytes come, and queues without limit what they cause. A gated connection
// is read up to an allowance; then the core is told that nothing is there, until the program gives it another. Bytes are
// counted, not frames, so it is the same with TLS and without.
#ifndef TRACKME_GATE_H
#define TRACKME_GATE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Gates connections of one server. Any thread, unless said otherwise.
typedef struct tmrpc_gate tmrpc_gate;

// NULL when the core's recvmsg is not the one that gates, or the system refuses.
tmrpc_gate *tmrpc_gate_create(void);
// Lets everything through that it still gates. No other function may be called for it then.
void tmrpc_gate_destroy(tmrpc_gate *g);

// A descriptor to poll: readable while there are connections that have used up their allowance and were not told yet.
int tmrpc_gate_bell(const tmrpc_gate *g);

// Gates a connected TCP socket, before the core has it. Returns 0 when there is no memory for that.
int tmrpc_gate_add(tmrpc_gate *g, int fd, int64_t allowance);
// Whether the core has read a gated connection since it was added.
int tmrpc_gate_has_read(int fd);
// The descriptors of up to `max` connections that have used up their allowance; each is told once an allowance.
size_t tmrpc_gate_stopped(tmrpc_gate *g, int *fds, size_t max);
// Whether the loop that read a stopped connection has been through what it had to do then. Until that the core may go on
// reading at once, with all others waiting. Always 0 where no loop read it.
int tmrpc_gate_has_passed(int fd);
// Gives a connection that has stopped another allowance, and has the core look at it again.
void tmrpc_gate_allow(tmrpc_gate *g, int fd, int64_t allowance);
// Takes back what a connection has not used of its allowance, and returns it: with the next bytes that come it has stopped.
int64_t tmrpc_gate_revoke(tmrpc_gate *g, int fd);
// Gates the descriptor no more. Of the socket with this number nothing more is read: to the core it is reset, whatever its
// client has sent before; another socket that has its descriptor by now is let through. 0: of none.
void tmrpc_gate_remove(tmrpc_gate *g, int fd, uint64_t ended);

// A loop's thread says that it has come back from the core.
void tmrpc_gate_pass(void);

// Whether a socket takes what is written to it.
int tmrpc_is_writable(int fd);
// Whether the other end of a socket has hung up, whatever of it has not been read.
int tmrpc_has_hung_up(int fd);

#ifdef __cplusplus
}
#endif

#endif
