/* plain.c - the allocator for address spaces that admit no regions.
 *
 * Nothing it returns is low-fat, and the API says so truthfully (size SIZE_MAX, base null).  Correct and small rather
 * than fast: one lock; chunks of blocks of one power of two, unmapped when they are empty; a mapping for each larger
 * object.  Every object is preceded by a header with its size and a check word. */
#include "internal.h"

#include <errno.h>

struct header {
    uint64_t check; /* key ^ address of the object while live */
    uint32_t list;  /* log2 of the block, or MAPPED */
    uint32_t back;  /* bytes from the block to the object */
    uint64_t block; /* bytes of the block, header included */
    uint64_t size;  /* usable bytes from the object */
};

#define MAPPED 63
#define MIN_LOG 6
#define MAX_LOG 15
#define CHUNK ((uintptr_t)1 << 18)

/* A chunk lies at a multiple of its size, so a block finds it.  On its log's list while it has a free block. */
struct chunk {
    struct chunk *next, *prev;
    struct block {
        struct block *next;
    } *free;
    uintptr_t fresh; /* blocks from here to the chunk's end were never used */
    uint32_t log, used;
};

lowfat_lock lowfat_plain_lock;
static uint64_t key;
static struct chunk *chunks[MAX_LOG + 1];
static uint64_t live_objects, live_bytes;

static void link_chunk(struct chunk *chunk) {
    chunk->prev = NULL;
    chunk->next = chunks[chunk->log];
    if (chunk->next)
        chunk->next->prev = chunk;
    chunks[chunk->log] = chunk;
}

static void unlink_chunk(struct chunk *chunk) {
    if (chunk->prev)
        chunk->prev->next = chunk->next;
    else
        chunks[chunk->log] = chunk->next;
    if (chunk->next)
        chunk->next->prev = chunk->prev;
}

static bool has_room(const struct chunk *chunk) {
    return chunk->free || chunk->fresh + ((uintptr_t)1 << chunk->log) <= (uintptr_t)chunk + CHUNK;
}

/* Maps twice the size and gives back what is not aligned. */
static struct chunk *new_chunk(unsigned log) {
    uintptr_t at = (uintptr_t)lowfat_os_map(2 * CHUNK);
    if (at == 0)
        return NULL;
    uintptr_t start = lowfat_round_up(at, CHUNK);
    if (start > at)
        lowfat_os_unmap((void *)at, start - at);
    if (start + CHUNK < at + 2 * CHUNK)
        lowfat_os_unmap((void *)(start + CHUNK), at + CHUNK - start);
    struct chunk *chunk = (struct chunk *)start;
    chunk->log = log;
    chunk->fresh = lowfat_round_up(start + sizeof *chunk, (uintptr_t)1 << log);
    link_chunk(chunk);
    return chunk;
}

/* A block of 2^log bytes; the lock is held. */
static void *take_block(unsigned log) {
    struct chunk *chunk = chunks[log] ? chunks[log] : new_chunk(log);
    if (chunk == NULL)
        return NULL;
    void *block = chunk->free;
    if (block) {
        chunk->free = chunk->free->next;
    } else {
        block = (void *)chunk->fresh;
        chunk->fresh += (uintptr_t)1 << log;
    }
    chunk->used++;
    if (!has_room(chunk))
        unlink_chunk(chunk);
    return block;
}

static void return_block(struct block *block) {
    struct chunk *chunk = (struct chunk *)lowfat_round_down((uintptr_t)block, CHUNK);
    if (!has_room(chunk))
        link_chunk(chunk);
    block->next = chunk->free;
    chunk->free = block;
    if (--chunk->used == 0) {
        unlink_chunk(chunk);
        lowfat_os_unmap(chunk, CHUNK);
    }
}

void *lowfat_plain_alloc(size_t size, size_t alignment) {
    size_t need;
    if (alignment < 16)
        alignment = 16;
    if (__builtin_add_overflow(size, sizeof(struct header) + alignment, &need) || need > LOWFAT_HUGE_MAX)
        return lowfat_out_of_memory();
    unsigned log = MIN_LOG;
    while (log <= MAX_LOG && ((size_t)1 << log) < need)
        log++;
    lowfat_acquire(&lowfat_plain_lock);
    if (key == 0)
        key = lowfat_os_random() | 1;
    bool mapped = log > MAX_LOG;
    size_t block_size = mapped ? lowfat_round_up(need, LOWFAT_PAGE) : (size_t)1 << log;
    uintptr_t block = (uintptr_t)(mapped ? lowfat_os_map(block_size) : take_block(log));
    if (block) {
        uintptr_t object = lowfat_round_up(block + sizeof(struct header), alignment);
        struct header *header = (struct header *)object - 1;
        *header = (struct header){key ^ object, mapped ? MAPPED : log, (uint32_t)(object - block), block_size,
                                  block + block_size - object};
        live_objects++;
        live_bytes += header->size;
        block = object;
    }
    lowfat_release(&lowfat_plain_lock);
    return block ? (void *)block : lowfat_out_of_memory();
}

static struct header *check(const void *ptr) {
    struct header *header = (struct header *)(uintptr_t)ptr - 1;
    return (uintptr_t)ptr % 16 == 0 && header->check == (key ^ (uintptr_t)ptr) ? header : NULL;
}

void lowfat_plain_free(void *ptr, const char *operation) {
    lowfat_acquire(&lowfat_plain_lock);
    struct header *header = check(ptr);
    if (header) {
        uintptr_t block = (uintptr_t)ptr - header->back;
        live_objects--;
        live_bytes -= header->size;
        header->check = 0;
        if (header->list == MAPPED) {
            lowfat_os_unmap((void *)block, header->block);
        } else {
            return_block((struct block *)block);
        }
    }
    lowfat_release(&lowfat_plain_lock);
    if (header == NULL)
        lowfat_error_at(LOWFAT_ERROR_FOREIGN_FREE, operation, ptr);
}

size_t lowfat_plain_size(const void *ptr) {
    lowfat_acquire(&lowfat_plain_lock);
    struct header *header = check(ptr);
    size_t size = header ? header->size : 0;
    lowfat_release(&lowfat_plain_lock);
    return size;
}

void lowfat_plain_totals(uint64_t *objects, uint64_t *bytes) {
    lowfat_acquire(&lowfat_plain_lock);
    *objects = live_objects;
    *bytes = live_bytes;
    lowfat_release(&lowfat_plain_lock);
}
