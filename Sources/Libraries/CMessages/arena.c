#include "arena.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* Chunks form a stack; the first one lives as long as the thread. */
struct trackme_arena_chunk {
  struct trackme_arena_chunk *below;
  size_t size;
};

enum { first_chunk_size = 64 << 10, header_size = sizeof(size_t) };

static pthread_key_t arena_key;
static pthread_once_t arena_key_once = PTHREAD_ONCE_INIT;
static _Thread_local trackme_arena *arena_of_thread;

static void free_chunks(trackme_arena *arena, const struct trackme_arena_chunk *down_to) {
  while (arena->chunk != down_to) {
    struct trackme_arena_chunk *below = arena->chunk->below;
    free(arena->chunk);
    arena->chunk = below;
  }
}

static bool add_chunk(trackme_arena *arena, size_t size) {
  struct trackme_arena_chunk *chunk = malloc(sizeof(*chunk) + size);
  if (chunk == NULL) return false;
  chunk->below = arena->chunk;
  chunk->size = size;
  arena->chunk = chunk;
  arena->next = (char *)(chunk + 1);
  arena->end = arena->next + size;
  return true;
}

void *trackme_arena_allocate(trackme_arena *arena, size_t size) {
  if (size > SIZE_MAX / 4) return NULL;
  const size_t total = header_size + ((size + 7) & ~(size_t)7);
  if (total > arena->budget) return NULL;
  if (total > (size_t)(arena->end - arena->next)) {
    const size_t doubled = arena->chunk->size * 2;
    if (!add_chunk(arena, doubled > total ? doubled : total)) return NULL;
  }
  arena->budget -= total;
  *(size_t *)(void *)arena->next = size;
  void *result = arena->next + header_size;
  arena->next += total;
  return result;
}

static void *allocate(void *arena, size_t size) { return trackme_arena_allocate(arena, size); }

static void keep(void *arena, void *pointer) {
  (void)arena;
  (void)pointer;
}

static void free_arena(void *pointer) {
  trackme_arena *arena = pointer;
  arena_of_thread = NULL;
  free_chunks(arena, NULL);
  free(arena);
}

static void make_key(void) {
  if (pthread_key_create(&arena_key, free_arena) != 0) abort();
}

trackme_arena *trackme_arena_of_thread(void) {
  if (arena_of_thread != NULL) return arena_of_thread;
  trackme_arena *arena = calloc(1, sizeof(*arena));
  if (arena == NULL || !add_chunk(arena, first_chunk_size)) abort();
  arena->allocator = (ProtobufCAllocator){.alloc = allocate, .free = keep, .allocator_data = arena};
  pthread_once(&arena_key_once, make_key);
  pthread_setspecific(arena_key, arena);
  return arena_of_thread = arena;
}

trackme_arena_scope trackme_arena_begin(trackme_arena *arena, size_t budget) {
  const trackme_arena_scope scope = {arena->next, arena->end, arena->budget, arena->chunk};
  arena->budget = budget;
  return scope;
}

void trackme_arena_end(trackme_arena *arena, trackme_arena_scope scope) {
  free_chunks(arena, scope.chunk);
  arena->next = scope.next;
  arena->end = scope.end;
  arena->budget = scope.budget;
}
