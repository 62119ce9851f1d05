#pragma once

#include <protobuf-c/protobuf-c.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A bump allocator for the C structs of one message at a time: protobuf-c's many small allocations become additions
 * to a pointer, and all of them are dropped at once. Each thread has its own, so there is no lock.
 *
 * Every allocation is preceded by its size, so that the length of a decoded string is known without strlen, which
 * stops at the first NUL.
 */
struct trackme_arena_chunk;

typedef struct trackme_arena {
  ProtobufCAllocator allocator; /* hands out this arena's memory; its free does nothing */
  char *next;
  char *end;
  size_t budget; /* bytes that may still be handed out; beyond it, allocations fail */
  struct trackme_arena_chunk *chunk;
} trackme_arena;

/* Where an arena stood. Scopes nest. */
typedef struct trackme_arena_scope {
  char *next;
  char *end;
  size_t budget;
  struct trackme_arena_chunk *chunk;
} trackme_arena_scope;

/* The arena of the calling thread; freed when the thread ends. Aborts if there is no memory for it. */
trackme_arena *trackme_arena_of_thread(void);

/* Begins a scope in which at most `budget` bytes can be allocated. */
trackme_arena_scope trackme_arena_begin(trackme_arena *arena, size_t budget);

/* Drops everything allocated since the scope began. */
void trackme_arena_end(trackme_arena *arena, trackme_arena_scope scope);

/* `size` bytes, aligned for any C type of a message, not cleared; NULL beyond the budget or without memory. */
void *trackme_arena_allocate(trackme_arena *arena, size_t size);

/* The length of a decoded string, embedded NULs included. `string` came from an arena, or is protobuf-c's "". */
static inline size_t trackme_arena_string_length(const char *string) {
  return string == protobuf_c_empty_string ? 0 : ((const size_t *)(const void *)string)[-1] - 1;
}
