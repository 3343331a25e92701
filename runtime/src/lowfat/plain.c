/* plain.c - the allocator for address spaces that admit no regions.
 *
 * Nothing it returns is low-fat, and the API says so truthfully (size SIZE_MAX, base null).  Correct and small rather
 * than fast: one lock, power-of-two free lists carved from chunks, mappings for the rest.  Each object is preceded by
 * a header with its size and a check word. */
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
#define MAX_LOG 17
#define CHUNK ((size_t)1 << 18)

lowfat_lock lowfat_plain_lock;
static uint64_t key;
static struct block {
    struct block *next;
} *lists[MAX_LOG + 1];
static uintptr_t chunk, chunk_end;
static uint64_t live_objects, live_bytes;

/* A block of 2^log bytes; the lock is held. */
static void *take_block(unsigned log) {
    struct block *block = lists[log];
    if (block) {
        lists[log] = block->next;
        return block;
    }
    size_t size = (size_t)1 << log;
    if (chunk_end - chunk < size) {
        void *fresh = lowfat_os_map(CHUNK);
        if (fresh == NULL)
            return NULL;
        chunk = (uintptr_t)fresh;
        chunk_end = chunk + CHUNK;
    }
    block = (struct block *)chunk;
    chunk += size;
    return block;
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
            unsigned log = header->list;
            ((struct block *)block)->next = lists[log];
            lists[log] = (struct block *)block;
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
