#pragma once

#include <stddef.h>
#include <stdint.h>

/* A serialized google.protobuf.FileDescriptorSet: every .proto file of Protos/ and what they import. */
extern const uint8_t trackme_descriptor_set[];
extern const size_t trackme_descriptor_set_size;

/* The same two, as functions: Swift can't import an array of unknown length. */
static inline const uint8_t *trackme_descriptor_set_bytes(void) { return trackme_descriptor_set; }
static inline size_t trackme_descriptor_set_count(void) { return trackme_descriptor_set_size; }
