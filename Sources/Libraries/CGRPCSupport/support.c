#define _GNU_SOURCE
#include "support.h"

#include <grpc/byte_buffer.h>
#include <grpc/support/alloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static tmrpc_tag tag_of(void *owner, uint32_t kind) { return (tmrpc_tag){.owner = owner, .kind = kind}; }

tmrpc_call *tmrpc_call_create(grpc_call *call, void *owner, uint32_t receive_kind) {
  tmrpc_call *c = gpr_zalloc(sizeof *c);
  c->call = call;
  c->receive_tag = tag_of(owner, receive_kind);
  c->send_tag = tag_of(owner, receive_kind + 1);
  c->end_tag = tag_of(owner, receive_kind + 2);
  c->head_tag = tag_of(owner, receive_kind + 3);
  // The same as grpc_raw_byte_buffer_create, in memory that serves every message of the call.
  c->outgoing.type = GRPC_BB_RAW;
  c->outgoing.data.raw.compression = GRPC_COMPRESS_NONE;
  grpc_slice_buffer_init(&c->outgoing.data.raw.slice_buffer);
  c->status_message = grpc_empty_slice();
  return c;
}

static void release_sent(grpc_metadata_array *array) {
  for (size_t i = 0; i < array->count; i++) {
    grpc_slice_unref(array->metadata[i].key);
    grpc_slice_unref(array->metadata[i].value);
  }
  gpr_free(array->metadata);
}

void tmrpc_call_destroy(tmrpc_call *c) {
  if (c->received) grpc_byte_buffer_destroy(c->received);
  grpc_slice_buffer_destroy(&c->outgoing.data.raw.slice_buffer);
  grpc_slice_unref(c->status_message);
  grpc_metadata_array_destroy(&c->initial);
  grpc_metadata_array_destroy(&c->trailing);
  release_sent(&c->sent_initial);
  release_sent(&c->sent_trailing);
  if (c->call) grpc_call_unref(c->call);
  gpr_free(c);
}

grpc_call_error tmrpc_start_receive(tmrpc_call *c) {
  grpc_op op = {.op = GRPC_OP_RECV_MESSAGE};
  op.data.recv_message.recv_message = &c->received;
  return grpc_call_start_batch(c->call, &op, 1, &c->receive_tag, NULL);
}

grpc_call_error tmrpc_start_server_end(tmrpc_call *c) {
  grpc_op op = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER};
  op.data.recv_close_on_server.cancelled = &c->cancelled;
  return grpc_call_start_batch(c->call, &op, 1, &c->end_tag, NULL);
}

grpc_call_error tmrpc_start_client_end(tmrpc_call *c) {
  grpc_op op = {.op = GRPC_OP_RECV_STATUS_ON_CLIENT};
  op.data.recv_status_on_client.trailing_metadata = &c->trailing;
  op.data.recv_status_on_client.status = &c->status;
  op.data.recv_status_on_client.status_details = &c->status_message;
  return grpc_call_start_batch(c->call, &op, 1, &c->end_tag, NULL);
}

grpc_call_error tmrpc_start_client_head(tmrpc_call *c) {
  grpc_op op = {.op = GRPC_OP_RECV_INITIAL_METADATA};
  op.data.recv_initial_metadata.recv_initial_metadata = &c->initial;
  return grpc_call_start_batch(c->call, &op, 1, &c->head_tag, NULL);
}

grpc_call_error tmrpc_start_send(tmrpc_call *c, const tmrpc_send *send) {
  grpc_op ops[4];
  size_t n = 0;
  grpc_slice details;
  if (send->with_initial) {
    memset(&ops[n], 0, sizeof ops[n]);
    ops[n].op = GRPC_OP_SEND_INITIAL_METADATA;
    ops[n].flags = send->initial_flags;
    ops[n].data.send_initial_metadata.count = c->sent_initial.count;
    ops[n].data.send_initial_metadata.metadata = c->sent_initial.metadata;
    n++;
  }
  if (send->message) {
    grpc_slice_buffer *buffer = &c->outgoing.data.raw.slice_buffer;
    grpc_slice_buffer_reset_and_unref(buffer);
    grpc_slice_buffer_add(buffer, grpc_slice_ref(*send->message));
    memset(&ops[n], 0, sizeof ops[n]);
    ops[n].op = GRPC_OP_SEND_MESSAGE;
    ops[n].flags = send->message_flags;
    ops[n].data.send_message.send_message = &c->outgoing;
    n++;
  }
  if (send->with_close) {
    memset(&ops[n], 0, sizeof ops[n]);
    ops[n].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
    n++;
  }
  if (send->with_status) {
    memset(&ops[n], 0, sizeof ops[n]);
    ops[n].op = GRPC_OP_SEND_STATUS_FROM_SERVER;
    ops[n].data.send_status_from_server.status = send->status;
    ops[n].data.send_status_from_server.trailing_metadata_count = c->sent_trailing.count;
    ops[n].data.send_status_from_server.trailing_metadata = c->sent_trailing.metadata;
    if (send->status_message_length) {
      details = grpc_slice_from_copied_buffer(send->status_message, send->status_message_length);
      ops[n].data.send_status_from_server.status_details = &details;
    }
    n++;
  }
  grpc_call_error error = grpc_call_start_batch(c->call, ops, n, &c->send_tag, NULL);
  if (send->with_status && send->status_message_length) grpc_slice_unref(details);
  return error;
}

void tmrpc_send_done(tmrpc_call *c) { grpc_slice_buffer_reset_and_unref(&c->outgoing.data.raw.slice_buffer); }

int tmrpc_take_received(tmrpc_call *c, grpc_slice *slice) {
  grpc_byte_buffer *received = c->received;
  if (!received) return 0;
  c->received = NULL;
  grpc_slice_buffer *buffer = &received->data.raw.slice_buffer;
  if (buffer->count == 1) {
    *slice = grpc_slice_buffer_take_first(buffer);
  } else {
    *slice = grpc_slice_malloc(buffer->length);
    uint8_t *to = tmrpc_slice_mutable_bytes(slice);
    for (size_t i = 0; i < buffer->count; i++) {
      size_t length = tmrpc_slice_length(&buffer->slices[i]);
      memcpy(to, tmrpc_slice_bytes(&buffer->slices[i]), length);
      to += length;
    }
  }
  grpc_byte_buffer_destroy(received);
  return 1;
}

void tmrpc_metadata_append(grpc_metadata_array *array, const void *key, size_t key_length, const void *value,
                           size_t value_length) {
  if (array->count == array->capacity) {
    array->capacity = array->capacity ? array->capacity * 2 : 4;
    array->metadata = gpr_realloc(array->metadata, array->capacity * sizeof *array->metadata);
  }
  grpc_metadata *entry = &array->metadata[array->count++];
  memset(entry, 0, sizeof *entry);
  entry->key = grpc_slice_from_copied_buffer(key, key_length);
  entry->value = grpc_slice_from_copied_buffer(value, value_length);
}

tmrpc_request *tmrpc_request_create(void *owner) {
  tmrpc_request *r = gpr_zalloc(sizeof *r);
  r->tag = tag_of(owner, TMRPC_REQUEST);
  grpc_call_details_init(&r->details);
  grpc_metadata_array_init(&r->metadata);
  return r;
}

void tmrpc_request_destroy(tmrpc_request *r) {
  grpc_call_details_destroy(&r->details);
  grpc_metadata_array_destroy(&r->metadata);
  gpr_free(r);
}

grpc_call_error tmrpc_request_start(tmrpc_request *r, grpc_server *server, grpc_completion_queue *bound,
                                    grpc_completion_queue *notified) {
  return grpc_server_request_call(server, &r->call, &r->details, &r->metadata, bound, notified, &r->tag);
}

void tmrpc_request_move(tmrpc_request *r, tmrpc_call *c) {
  grpc_metadata_array_destroy(&c->initial);
  c->initial = r->metadata;
  grpc_metadata_array_init(&r->metadata);
  grpc_call_details_destroy(&r->details);
  grpc_call_details_init(&r->details);
  r->call = NULL;
}

static _Thread_local void *current_loop;
void *tmrpc_current_loop(void) { return current_loop; }
void tmrpc_set_current_loop(void *loop) { current_loop = loop; }

// Of the Swift runtime's stable interface.
__attribute__((swiftcall)) extern void *swift_task_getCurrent(void);
void *tmrpc_current_task(void) { return swift_task_getCurrent(); }

enum { SHARDS = 32 };
static struct {
  _Alignas(64) _Atomic int64_t live;
} shards[SHARDS];
static _Atomic unsigned next_shard;
static _Thread_local unsigned shard;  // 0 until the thread has one

void tmrpc_live_messages_add(int64_t n) {
  if (!shard) shard = 1 + atomic_fetch_add_explicit(&next_shard, 1, memory_order_relaxed) % SHARDS;
  atomic_fetch_add_explicit(&shards[shard - 1].live, n, memory_order_relaxed);
}

int64_t tmrpc_live_messages(void) {
  int64_t sum = 0;
  for (int i = 0; i < SHARDS; i++) sum += atomic_load_explicit(&shards[i].live, memory_order_relaxed);
  return sum;
}

struct tmrpc_arguments {
  grpc_channel_args view;
  size_t capacity;
};

tmrpc_arguments *tmrpc_arguments_create(void) { return gpr_zalloc(sizeof(tmrpc_arguments)); }

void tmrpc_arguments_destroy(tmrpc_arguments *a) {
  for (size_t i = 0; i < a->view.num_args; i++) {
    free(a->view.args[i].key);
    if (a->view.args[i].type == GRPC_ARG_STRING) free(a->view.args[i].value.string);
  }
  gpr_free(a->view.args);
  gpr_free(a);
}

static grpc_arg *append_argument(tmrpc_arguments *a, const char *key) {
  if (a->view.num_args == a->capacity) {
    a->capacity = a->capacity ? a->capacity * 2 : 16;
    a->view.args = gpr_realloc(a->view.args, a->capacity * sizeof *a->view.args);
  }
  grpc_arg *arg = &a->view.args[a->view.num_args++];
  memset(arg, 0, sizeof *arg);
  arg->key = strdup(key);
  return arg;
}

void tmrpc_arguments_set_integer(tmrpc_arguments *a, const char *key, int value) {
  grpc_arg *arg = append_argument(a, key);
  arg->type = GRPC_ARG_INTEGER;
  arg->value.integer = value;
}

void tmrpc_arguments_set_string(tmrpc_arguments *a, const char *key, const char *value) {
  grpc_arg *arg = append_argument(a, key);
  arg->type = GRPC_ARG_STRING;
  arg->value.string = strdup(value);
}

static void *same(void *p) { return p; }
static void keep(void *p) { (void)p; }
static int compare(void *a, void *b) { return (a > b) - (a < b); }

void tmrpc_arguments_set_pointer(tmrpc_arguments *a, const char *key, void *value) {
  static const grpc_arg_pointer_vtable borrowed = {same, keep, compare};
  grpc_arg *arg = append_argument(a, key);
  arg->type = GRPC_ARG_POINTER;
  arg->value.pointer.p = value;
  arg->value.pointer.vtable = &borrowed;
}

const grpc_channel_args *tmrpc_arguments_view(const tmrpc_arguments *a) { return &a->view; }
