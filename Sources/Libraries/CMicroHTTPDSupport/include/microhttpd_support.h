// What Swift cannot say about GNU libmicrohttpd: functions with variable arguments, and a callback that must be there.
#ifndef TRACKME_CMICROHTTPD_SUPPORT_H
#define TRACKME_CMICROHTTPD_SUPPORT_H

#include <microhttpd.h>
#include <stddef.h>

// RequestHead reads a request's head where this version leaves it: from the method on, with a zero in place of each
// separator and of CR and of LF. Another version has to be looked at first: whether it refuses by itself what is refused
// there, and where it keeps the head.
#if MHD_VERSION < 0x00097500 || MHD_VERSION >= 0x00097600
#error "RequestHead was written for libmicrohttpd 0.9.75"
#endif

// What is called, with the context, on the daemon's one thread. A null context from `uri` is passed on as well.
typedef struct {
  MHD_AcceptPolicyCallback accept;
  MHD_NotifyConnectionCallback connection;
  void *(*uri)(void *context, const char *uri, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback request;
  MHD_RequestCompletedCallback completed;
  // What libmicrohttpd would log, before it acts on it: a format, and what belongs into it.
  MHD_LogCallback said;
  void *context;
} tmhttpd_calls;

// Starts a thread that accepts from a listening socket, with epoll; connections may be suspended. It has no
// time limits of its own, and leaves addresses encoded as they came. NULL where the system lacks something.
struct MHD_Daemon *tmhttpd_start(int listener, unsigned int connections, size_t connection_bytes,
                                 const tmhttpd_calls *calls);

int tmhttpd_socket(struct MHD_Connection *connection);
// Answers with a status alone, without waiting, in libmicrohttpd's place, and then as `tmhttpd_shutdown`.
void tmhttpd_refuse(int socket, unsigned int status);
// Makes the other end, and whoever reads here, see the end; nothing more is sent. The descriptor stays open.
void tmhttpd_shutdown(int socket);
// What `tmhttpd_send` has come to.
#define TMHTTPD_SENT 1
#define TMHTTPD_FULL 0
#define TMHTTPD_BROKEN (-1)
// Sends bytes without waiting, as a chunk of HTTP/1.1 or as they are, from `*sent` on: so many bytes of the chunk are out
// already, and are then. TMHTTPD_FULL where some are left because the socket takes no more just now.
int tmhttpd_send(int socket, const void *bytes, size_t count, int is_chunk, size_t *sent);

// Waits for sockets that can be written to again.
typedef struct {
  int epoll;
  int stop;
} tmhttpd_poller;

// 0, or -1 where the system lacks something.
int tmhttpd_poller_open(tmhttpd_poller *poller);
void tmhttpd_poller_close(tmhttpd_poller poller);
// Looks at a socket until it can be written to, or is broken, once.
void tmhttpd_poller_watch(tmhttpd_poller poller, int socket);
// Before a socket that was watched is closed.
void tmhttpd_poller_forget(tmhttpd_poller poller, int socket);
// Waits. The number of sockets that were written into `sockets`; -1 after `stop`.
int tmhttpd_poller_wait(tmhttpd_poller poller, int *sockets, int max);
void tmhttpd_poller_stop(tmhttpd_poller poller);

// Drops what has come, without waiting. 0 where nothing more can come.
int tmhttpd_discard(int socket);
// Of the other end; libmicrohttpd's.
const struct sockaddr *tmhttpd_address(struct MHD_Connection *connection);
// What `connection` was given at its start.
void *tmhttpd_socket_context(struct MHD_Connection *connection);
// Whether it is suspended; on the daemon's thread.
int tmhttpd_is_suspended(struct MHD_Connection *connection);
// Of the head that was read, the empty line included.
size_t tmhttpd_head_bytes(struct MHD_Connection *connection);
// How many fields, parts of the query and cookies were found: each takes memory of the connection.
int tmhttpd_values(struct MHD_Connection *connection);

// A response whose bytes are asked for: count of them, or MHD_SIZE_UNKNOWN where it is negative.
struct MHD_Response *tmhttpd_response(long long count, size_t block, MHD_ContentReaderCallback reader, void *context,
                                      MHD_ContentReaderFreeCallback release);

// For an answer of no known length that has no body: libmicrohttpd would send the end of a body in chunks behind the head. The
// connection ends with it.
void tmhttpd_without_chunks(struct MHD_Response *response);

// What a content reader returns when there is nothing more, and when the connection is to be cut.
extern const ssize_t tmhttpd_end;
extern const ssize_t tmhttpd_failed;

#endif
