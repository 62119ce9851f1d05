// What Swift cannot say about the gRPC C core: unions, macros, and the memory one call's operations share.
//
// Everything an operation reads or writes lives in a tmrpc_call, so that starting an operation allocates nothing,
// and stays valid until the operation's tag has come back, whoever still waits for it.
#ifndef TRACKME_CGRPC_SUPPORT_H
#define TRACKME_CGRPC_SUPPORT_H

// First: see CGRPC/shim.h.
#include <sys/types.h>

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/slice.h>
#include <grpc/slice_buffer.h>
#include <stdint.h>

// What a completion queue hands back: the Swift object concerned, and which of its operations ended.
typedef struct tmrpc_tag {
  void *owner;
  uint32_t kind;
} tmrpc_tag;

enum {
  TMRPC_KICK = 1,
  TMRPC_REQUEST = 2,
  TMRPC_SHUTDOWN = 3,
  TMRPC_CONNECTIVITY = 4,
  TMRPC_SERVER_RECEIVE = 8,
  TMRPC_SERVER_SEND = 9,
  TMRPC_SERVER_END = 10,
  TMRPC_CLIENT_RECEIVE = 12,
  TMRPC_CLIENT_SEND = 13,
  TMRPC_CLIENT_END = 14,
  TMRPC_CLIENT_HEAD = 15,
};

// The operation slots of one call, server or client.
typedef struct tmrpc_call {
  grpc_call *call;
  tmrpc_tag receive_tag;
  tmrpc_tag send_tag;
  tmrpc_tag end_tag;
  tmrpc_tag head_tag;
  grpc_byte_buffer *received;
  grpc_byte_buffer outgoing;
  // Server: 1 when the call ended for another reason than the status the server sent.
  int cancelled;
  // Server: the request's metadata. Client: the response's initial metadata.
  grpc_metadata_array initial;
  // Client: how the call ended.
  grpc_metadata_array trailing;
  grpc_status_code status;
  grpc_slice status_message;
  // Metadata being sent: owned until the call goes.
  grpc_metadata_array sent_initial;
  grpc_metadata_array sent_trailing;
} tmrpc_call;

// Takes over the reference to `call`. Kinds are numbered from `receive_kind`: receive, send, end, head.
tmrpc_call *tmrpc_call_create(grpc_call *call, void *owner, uint32_t receive_kind);
// Releases the call and every slot. No operation may be outstanding.
void tmrpc_call_destroy(tmrpc_call *c);

// Every start function returns a grpc_call_error, and leaves the call as it was when that is not GRPC_CALL_OK.
grpc_call_error tmrpc_start_receive(tmrpc_call *c);
grpc_call_error tmrpc_start_server_end(tmrpc_call *c);
grpc_call_error tmrpc_start_client_end(tmrpc_call *c);
grpc_call_error tmrpc_start_client_head(tmrpc_call *c);

// One batch of sends. What is zero or NULL is left out.
typedef struct tmrpc_send {
  int with_initial;         // SEND_INITIAL_METADATA, from sent_initial
  uint32_t initial_flags;
  const grpc_slice *message;  // SEND_MESSAGE; the slice is referenced, not taken
  uint32_t message_flags;
  int with_close;           // SEND_CLOSE_FROM_CLIENT
  int with_status;          // SEND_STATUS_FROM_SERVER, with sent_trailing
  grpc_status_code status;
  const char *status_message;  // not retained
  size_t status_message_length;
} tmrpc_send;
grpc_call_error tmrpc_start_send(tmrpc_call *c, const tmrpc_send *send);
// Drops what is left of the message last sent.
void tmrpc_send_done(tmrpc_call *c);

// Moves the received message into *slice (flattened when it came in pieces); 0 when there is none.
int tmrpc_take_received(tmrpc_call *c, grpc_slice *slice);

// Whether the message last received is marked as compressed. The core of a server does not decompress it: see
// `ServerConfiguration.write(to:)`.
#ifdef __cplusplus
extern "C"
#endif
int tmrpc_is_received_compressed(const tmrpc_call *c);

typedef enum tmrpc_inflation {
  TMRPC_NOTHING,   // No message came.
  TMRPC_INFLATED,
  TMRPC_UNNAMED,   // The call names no encoding.
  TMRPC_TOO_LONG,  // It would be longer than it may be.
  TMRPC_DAMAGED,   // It is not what its encoding says, or cut short.
} tmrpc_inflation;
// Moves a received message that is marked as compressed into *slice, decompressed to at most `limit` bytes, and says in
// *received_bytes how long it was before. No more than `limit` is decompressed of a longer one.
tmrpc_inflation tmrpc_take_inflated(tmrpc_call *c, size_t limit, grpc_slice *slice, size_t *received_bytes);

// Appends copies of the key and the value.
void tmrpc_metadata_append(grpc_metadata_array *array, const void *key, size_t key_length, const void *value,
                           size_t value_length);

// A server's request for the next call, reused for call after call.
typedef struct tmrpc_request {
  tmrpc_tag tag;
  grpc_call *call;
  grpc_call_details details;
  grpc_metadata_array metadata;
} tmrpc_request;
tmrpc_request *tmrpc_request_create(void *owner);
void tmrpc_request_destroy(tmrpc_request *r);
grpc_call_error tmrpc_request_start(tmrpc_request *r, grpc_server *server, grpc_completion_queue *bound,
                                    grpc_completion_queue *notified);
// Moves the request's metadata array into the call and clears the request for its next use.
void tmrpc_request_move(tmrpc_request *r, tmrpc_call *c);

static inline const uint8_t *tmrpc_slice_bytes(const grpc_slice *s) { return GRPC_SLICE_START_PTR(*s); }
static inline uint8_t *tmrpc_slice_mutable_bytes(grpc_slice *s) { return GRPC_SLICE_START_PTR(*s); }
static inline size_t tmrpc_slice_length(const grpc_slice *s) { return GRPC_SLICE_LENGTH(*s); }
static inline int tmrpc_slice_is_inline(const grpc_slice *s) { return s->refcount == NULL; }
static inline void tmrpc_slice_set_length(grpc_slice *s, size_t n) {
  if (s->refcount) {
    s->data.refcounted.length = n;
  } else {
    s->data.inlined.length = (uint8_t)n;
  }
}

// The address of the event loop that the calling thread runs, or NULL.
void *tmrpc_current_loop(void);
void tmrpc_set_current_loop(void *loop);

// The task that runs on the calling thread, or NULL: an address to compare, nothing else. What
// withUnsafeCurrentTask(body:) gives is the same, at ten times the price, and it is asked for every message.
void *tmrpc_current_task(void);

// Messages alive in the process, counted in one cache line a thread.
void tmrpc_live_messages_add(int64_t n);
int64_t tmrpc_live_messages(void);

// A list of channel arguments that owns its strings, but not what pointers lead to.
typedef struct tmrpc_arguments tmrpc_arguments;
tmrpc_arguments *tmrpc_arguments_create(void);
void tmrpc_arguments_destroy(tmrpc_arguments *a);
void tmrpc_arguments_set_integer(tmrpc_arguments *a, const char *key, int value);
void tmrpc_arguments_set_string(tmrpc_arguments *a, const char *key, const char *value);
void tmrpc_arguments_set_pointer(tmrpc_arguments *a, const char *key, void *value);
const grpc_channel_args *tmrpc_arguments_view(const tmrpc_arguments *a);

// Copies of the macros Swift cannot import.
static inline uint32_t tmrpc_buffer_hint(void) { return GRPC_WRITE_BUFFER_HINT; }
static inline uint32_t tmrpc_wait_for_ready(void) {
  return GRPC_INITIAL_METADATA_WAIT_FOR_READY | GRPC_INITIAL_METADATA_WAIT_FOR_READY_EXPLICITLY_SET;
}

#endif
