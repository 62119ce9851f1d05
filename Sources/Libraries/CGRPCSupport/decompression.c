// Decompresses what comes compressed, no further than it may. The core would do it itself, but without an end: it looks at
// the length of a message as it came, and a hundred bytes may be a hundred thousand.
#include "support.h"

#include <grpc/support/alloc.h>
#include <zlib.h>

static size_t smaller(size_t one, size_t other) { return one < other ? one : other; }

// How the core names it in what it received; none where a message is marked and its call has no encoding.
static int window_bits(grpc_compression_algorithm algorithm) {
  switch (algorithm) {
    case GRPC_COMPRESS_DEFLATE: return 15;
    case GRPC_COMPRESS_GZIP: return 15 + 16;
    default: return 0;
  }
}

static tmrpc_inflation inflate_all(z_stream *stream, const grpc_slice_buffer *from, size_t limit, uint8_t **bytes,
                                   size_t *count) {
  // A byte more than is allowed shows that there is more.
  size_t capacity = smaller(limit, 4 * from->length + 64) + 1;
  size_t next = 0;
  int result = Z_OK;
  *bytes = gpr_malloc(capacity);
  while (result != Z_STREAM_END) {
    if (stream->avail_in == 0 && next < from->count) {
      stream->next_in = (Bytef *)tmrpc_slice_bytes(&from->slices[next]);
      stream->avail_in = (uInt)tmrpc_slice_length(&from->slices[next]);
      next++;
    }
    if (*count == capacity) {
      capacity = smaller(limit + 1, 2 * capacity);
      *bytes = gpr_realloc(*bytes, capacity);
    }
    stream->next_out = *bytes + *count;
    stream->avail_out = (uInt)(capacity - *count);
    result = inflate(stream, Z_NO_FLUSH);
    *count = capacity - stream->avail_out;
    if (*count > limit) return TMRPC_TOO_LONG;
    // Z_BUF_ERROR: a piece brought nothing, such as an empty one. Without any further piece it is cut short.
    int goes_on = result == Z_OK || (result == Z_BUF_ERROR && next < from->count);
    if (result != Z_STREAM_END && !goes_on) return TMRPC_DAMAGED;
  }
  // Nothing may follow.
  return stream->avail_in == 0 && next == from->count ? TMRPC_INFLATED : TMRPC_DAMAGED;
}

tmrpc_inflation tmrpc_take_inflated(tmrpc_call *c, size_t limit, grpc_slice *slice, size_t *received_bytes) {
  grpc_byte_buffer *received = c->received;
  if (!received) return TMRPC_NOTHING;
  c->received = NULL;
  const grpc_slice_buffer *from = &received->data.raw.slice_buffer;
  *received_bytes = from->length;
  int bits = window_bits(received->data.raw.compression);
  z_stream stream = {0};
  uint8_t *bytes = NULL;
  size_t count = 0;
  tmrpc_inflation inflation = TMRPC_UNNAMED;
  if (bits) {
    inflation = TMRPC_DAMAGED;
    if (inflateInit2(&stream, bits) == Z_OK) {
      inflation = inflate_all(&stream, from, limit, &bytes, &count);
      inflateEnd(&stream);
    }
  }
  grpc_byte_buffer_destroy(received);
  if (inflation == TMRPC_INFLATED) *slice = grpc_slice_from_copied_buffer((const char *)bytes, count);
  gpr_free(bytes);
  return inflation;
}
