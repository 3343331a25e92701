/* Closures: pointers to nested functions that use variables of the functions around them (core, section 3.13).
 *
 * A pointer to a function is one address, as in C, so each closure has a piece of code of its own, its trampoline: it leaves
 * the address of the closure's captures in `cyc_closure_captures` and goes on to the function's entry, which reads them
 * before it does anything else. Trampolines lie in pages that are written once and then only executed; what they load lies
 * in the page behind.
 *
 * A closure lives as long as the frame of the function that made it: the type of the pointer says so. No way out of that
 * function has to do anything: a thread's closures form a stack, and making one first drops those of deeper frames, which
 * have been left by then, by returning or by an exception. Equal closures of one frame are one, so that a loop makes no more.
 *
 * Invariants:
 *   - stacks grow towards lower addresses, and `made[0..count]` has frames that do not grow;
 *   - a frame outside of the thread's own stack (a signal's, a coroutine's) says nothing about what has been left: the
 *     closures made there are kept until the thread ends, in `made[0..kept]`, which nothing drops.
 * Not for signal handlers: making or calling a closure there may meet this thread doing the same.
 */
#define _GNU_SOURCE
#include "cyc_heap.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

__thread const void *const *cyc_closure_captures __attribute__((tls_model("initial-exec")));

#if defined __x86_64__ && defined __linux__

enum { PAGE = 4096 };

/* What a trampoline loads; as large as one, so that both have the same place in their pages. */
struct slot {
  const void **captures; /* at first */
  void *entry;           /* at 8 */
  char *frame;           /* of the function that made it */
  cyc_size count;        /* captures */
};
enum { SLOTS = PAGE / sizeof(struct slot) };

struct pages {
  unsigned char code[PAGE];
  struct slot slots[SLOTS];
};

/* Captures come and go with their closures, so they form a stack too. */
struct chunk {
  struct chunk *below;
  cyc_size used, room; /* words */
  const void *words[];
};
enum { CHUNK_WORDS = 509 };

static __thread struct {
  struct pages **blocks; /* slots i*SLOTS ... lie in block i */
  cyc_size blocks_made, blocks_room;
  struct chunk *chunk; /* that of the closure made last; null before the first */
  cyc_size kept, count; /* closures, see above */
  char *stack_low, *stack_high;
} made;

static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct slot *slot_of(cyc_size i) { return &made.blocks[i / SLOTS]->slots[i % SLOTS]; }

static void *code_of(struct slot *slot) { return (char *)slot - PAGE; }

/* Room for the captures of one more closure; null when there is none. */
static const void **push_captures(cyc_size count) {
  struct chunk *chunk = made.chunk;
  if (!chunk || chunk->room - chunk->used < count) {
    cyc_size room = count > CHUNK_WORDS ? count : CHUNK_WORDS;
    chunk = cyc_heap_alloc(sizeof *chunk + room * sizeof *chunk->words);
    if (!chunk) return 0;
    *chunk = (struct chunk){made.chunk, 0, room};
    made.chunk = chunk;
  }
  chunk->used += count;
  return chunk->words + chunk->used - count;
}

static void pop_chunk(void) {
  struct chunk *below = made.chunk->below;
  cyc_heap_free(made.chunk);
  made.chunk = below;
}

/* An empty chunk stays for the next closure. */
static void drop_to(cyc_size count) {
  while (made.count > count) {
    while (!made.chunk->used) pop_chunk();
    made.chunk->used -= slot_of(--made.count)->count;
  }
}

static void on_thread_end(void *unused) {
  (void)unused;
  made.count = 0;
  while (made.chunk) pop_chunk();
  while (made.blocks_made) munmap(made.blocks[--made.blocks_made], sizeof(struct pages));
  cyc_heap_free(made.blocks);
  made.blocks = 0;
  made.blocks_room = made.kept = 0;
}

static void make_key(void) { pthread_key_create(&thread_end, on_thread_end); }

static void watch_thread(void) {
  pthread_attr_t attributes;
  void *low = 0;
  size_t size = 0;
  pthread_once(&once, make_key);
  pthread_setspecific(thread_end, &made);
  if (pthread_getattr_np(pthread_self(), &attributes)) return; /* every frame is then a foreign one */
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  made.stack_low = low;
  made.stack_high = made.stack_low + size;
}

/* One trampoline; `captures` is the thread's variable, as an offset from its thread pointer.
 *     endbr64;  lea slot(%rip), %r10;  mov (%r10), %r11;  mov %r11, %fs:captures;  jmp *8(%r10)
 * r10 and r11 carry nothing at a call of a C function. */
static void write_code(unsigned char *at, cyc_i64 captures) {
  static const unsigned char code[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x4c, 0x8d, 0x15, 0, 0, 0, 0, 0x4d, 0x8b, 0x1a,
                                       0x64, 0x4c, 0x89, 0x1c, 0x25, 0, 0, 0, 0, 0x41, 0xff, 0x62, 0x08};
  __INT32_TYPE__ slot = PAGE - 11, offset = (__INT32_TYPE__)captures; /* from the end of `lea` */
  _Static_assert(sizeof code <= sizeof(struct slot), "a trampoline fits its place");
  memcpy(at, code, sizeof code);
  memcpy(at + 7, &slot, sizeof slot);
  memcpy(at + 19, &offset, sizeof offset);
}

/* Room for another block's worth of closures; 0 when there is none. */
static int more(void) {
  if (!made.blocks_made) watch_thread();
  if (made.blocks_made == made.blocks_room) {
    cyc_size room = 2 * made.blocks_room + 8;
    struct pages **blocks = cyc_heap_alloc(room * sizeof *blocks);
    if (!blocks) return 0;
    if (made.blocks_made) memcpy(blocks, made.blocks, made.blocks_made * sizeof *blocks);
    cyc_heap_free(made.blocks);
    made.blocks = blocks;
    made.blocks_room = room;
  }
  struct pages *block = mmap(0, sizeof *block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return 0;
  char *thread;
  __asm__("mov %%fs:0, %0" : "=r"(thread));
  for (cyc_size i = 0; i < SLOTS; i++)
    write_code(block->code + i * sizeof(struct slot), (char *)&cyc_closure_captures - thread);
  if (mprotect(block->code, PAGE, PROT_READ | PROT_EXEC)) {
    munmap(block, sizeof *block);
    return 0;
  }
  made.blocks[made.blocks_made++] = block;
  return 1;
}

/* A closure of this frame with this entry and these captures, if there is one. */
static struct slot *find(void *entry, char *frame, cyc_size count, const void *const *captures) {
  for (cyc_size i = made.count; i > 0; i--) {
    struct slot *slot = slot_of(i - 1);
    if (slot->frame != frame) return 0;
    if (slot->entry == entry && slot->count == count && !memcmp(slot->captures, captures, count * sizeof *captures)) return slot;
  }
  return 0;
}

void *cyc_closure_make(void *entry, void *frame_address, cyc_size count, const void *const *captures, const char *file,
                       unsigned line) {
  char *frame = frame_address;
  if (made.count == made.blocks_made * SLOTS && !more()) cyc_fail_alloc(1, sizeof(struct pages), file, line);
  int own = made.stack_low <= frame && frame < made.stack_high;
  if (own)
    while (made.count > made.kept && slot_of(made.count - 1)->frame < frame) drop_to(made.count - 1);
  struct slot *slot = find(entry, frame, count, captures);
  if (slot) return code_of(slot);
  const void **copy = push_captures(count);
  if (!copy) cyc_fail_alloc(count, sizeof *copy, file, line);
  memcpy(copy, captures, count * sizeof *copy);
  slot = slot_of(made.count++);
  *slot = (struct slot){copy, entry, frame, count};
  if (!own) made.kept = made.count;
  return code_of(slot);
}

#else

/* Elsewhere there are no trampolines yet. */
void *cyc_closure_make(void *entry, void *frame, cyc_size count, const void *const *captures, const char *file, unsigned line) {
  (void)entry, (void)frame, (void)captures;
  cyc_fail_alloc(count, sizeof *captures, file, line);
}

#endif
