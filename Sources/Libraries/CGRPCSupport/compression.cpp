// What gRPC's specification says of compressed messages, and the core of 1.51 does not do: an encoding that it does not
// know is taken for none, and so is a message that is marked as compressed where the call names no encoding.
#include "support.h"

#include <absl/strings/string_view.h>
#include <absl/types/optional.h>
#include <grpc/compression.h>

namespace grpc_core {
// In the place of the core's own. What stands for an unknown name is no algorithm that is enabled: the core ends such a
// call with UNIMPLEMENTED, as the one of an algorithm that is switched off. Among the encodings that a peer accepts it is
// left out, as before.
absl::optional<grpc_compression_algorithm> ParseCompressionAlgorithm(absl::string_view name) {
  if (name == "identity") return GRPC_COMPRESS_NONE;
  if (name == "deflate") return GRPC_COMPRESS_DEFLATE;
  if (name == "gzip") return GRPC_COMPRESS_GZIP;
  return GRPC_COMPRESS_ALGORITHMS_COUNT;
}
}  // namespace grpc_core

// The core's flag of a message that came marked as compressed; it has no public name.
static const uint32_t is_compressed = 0x80000000u;

// Exported by the core for tests; there is no other way to learn it.
uint32_t grpc_call_test_only_get_message_flags(grpc_call *call);

int tmrpc_is_received_compressed(const tmrpc_call *c) {
  return (grpc_call_test_only_get_message_flags(c->call) & is_compressed) != 0;
}
