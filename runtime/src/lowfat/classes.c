/* classes.c - the size classes, their reciprocals, and the map.
 *
 * Why the reciprocal is exact.  Let s be a class size, n an address, n = q*s + r with 0 <= r < s, and
 * M = ceil(2^64 / s), so that M*s = 2^64 + e with 0 <= e < s.  Then
 *
 *     n*M / 2^64  =  n/s * (1 + e/2^64)  =  q + r/s + (n*e) / (s * 2^64).
 *
 * Its floor is q exactly when r/s + n*e/(s*2^64) < 1, and since r <= s-1 it is enough that n*e < 2^64.
 *   - s a power of two: e = 0, so every n is exact.
 *   - otherwise s <= 128 KiB = 2^17 in this table, e < 2^17, and every user address is n < 2^47: n*e < 2^64.
 * So lowfat_slot and lowfat_base are exact for every address.
 *
 * Base test.  The low half of the product is lo = n*M mod 2^64 = q*e + r*M (mod 2^64).  For r = 0 it is q*e, and
 * q*e = (n/s)*e < 2^64/s <= M, hence lo < M.  For r >= 1, r*M + q*e >= M, and it does not wrap: r*M + q*e
 * <= (s-1)*M + q*e = 2^64 + e - M + q*e < 2^64 iff (q+1)*e < M, which holds because (q+1)*s*e <= (n+s)*e < 2^64
 * (regions end below 2^47 - 2^17).  So lo < M if and only if n is the base of a slot, as lowfat_is_base says.
 *
 * The static assertions below check e and the bound for every class; tests/lowfat/exact.c checks the instructions. */
#include "internal.h"

#define UP8(X, b) X(b * 9 / 8) X(b * 10 / 8) X(b * 11 / 8) X(b * 12 / 8) X(b * 13 / 8) X(b * 14 / 8) X(b * 15 / 8) X(b * 2)
#define UP4(X, b) X(b * 5 / 4) X(b * 6 / 4) X(b * 7 / 4) X(b * 2)
#define SMALL_SIZES(X)                                                                              \
    X(16) X(32) X(48) X(64) X(80) X(96) X(112) X(128)                                               \
    UP8(X, 128) UP8(X, 256) UP8(X, 512) UP8(X, 1024) UP8(X, 2048) UP8(X, 4096) UP8(X, 8192)         \
    UP4(X, 16384) UP4(X, 32768) UP4(X, 65536)

/* e of the proof, and its condition for all addresses below 2^47. */
#define MAGIC(s) (UINT64_MAX / (s) + 1)
#define EXCESS(s) ((uint64_t)(MAGIC(s) * (s)))
#define ASSERT_EXACT(s)                                                                             \
    _Static_assert((s) % 16 == 0 && EXCESS(s) < (uint64_t)(s) && EXCESS(s) <= (uint64_t)1 << 17,    \
                   "the reciprocal of this class is not exact over 47-bit addresses");
SMALL_SIZES(ASSERT_EXACT)

#define COUNT(s) +1
_Static_assert(0 SMALL_SIZES(COUNT) == LOWFAT_SMALL_CLASSES, "class count");

/* Entries of a window: 8 KiB of slots, 16 of the smallest, but so many at least that going to the spans stays rare. With the 0
 * below the first they fill units where there are many. */
#define WINDOW_LEAST(s) ((s) <= 1024 ? 30 : (s) <= 2048 ? 16 : (s) <= 8192 ? 8 : (s) <= 16384 ? 4 : 2)
#define WINDOW_BYTES(s) ((s) <= 32 ? 16384 : 8192)
#define WINDOW_FIT(s) (WINDOW_BYTES(s) / (s) < WINDOW_LEAST(s) ? WINDOW_LEAST(s) : WINDOW_BYTES(s) / (s))
#define WINDOW_MOST(s) (WINDOW_FIT(s) < 64 ? 62 : WINDOW_FIT(s) / 64 * 64 - 2)
#define WINDOW(s) (WINDOW_FIT(s) > WINDOW_MOST(s) ? WINDOW_MOST(s) : WINDOW_FIT(s))
#define UNITS(s) ((WINDOW(s) + LOWFAT_WINDOW) / LOWFAT_WINDOW)
#define WINDOW_ROOM(s) +UNITS(s) * LOWFAT_WINDOW
_Static_assert(LOWFAT_WINDOW SMALL_SIZES(WINDOW_ROOM) == LOWFAT_WINDOWS_ENTRIES, "room for a thread's windows");

struct lowfat_class_central lowfat_central[LOWFAT_CLASSES + 1];
/* Tables of which only some pages are ever touched lie apart from variables (lowfat-order.ld). */
#define SPARSE_DATA __attribute__((section(".data.lowfat_sparse"), aligned(LOWFAT_PAGE)))
#define SPARSE_BSS __attribute__((section(".bss.lowfat_sparse"), aligned(LOWFAT_PAGE)))
SPARSE_BSS struct lowfat_span lowfat_first_spans[LOWFAT_FIRST_SPANS][LOWFAT_CLASSES + 1];

/* The class of each request of up to 16 KiB, by the request in units of 16 bytes, rounded up. */
#define LARGE(i) (((i) < 9 ? 9 : (i)) * 16ull - 1) /* keeps the branch not taken free of nonsense */
#define LOG(i) (63 - __builtin_clzll(LARGE(i)))
#define CLASS(i) (uint8_t)((i) <= 1 ? 1 : (i) <= 8 ? (i) : (LOG(i) - 7) * 8 + (int)(LARGE(i) >> (LOG(i) - 3)) + 1)
#define C1(i) CLASS(i),
#define C4(i) C1(i) C1(i + 1) C1(i + 2) C1(i + 3)
#define C16(i) C4(i) C4(i + 4) C4(i + 8) C4(i + 12)
#define C64(i) C16(i) C16(i + 16) C16(i + 32) C16(i + 48)
#define C256(i) C64(i) C64(i + 64) C64(i + 128) C64(i + 192)

#define SIZE(s) s,
struct lowfat_fast lowfat_fast = {
    .class_of_16 = {C256(0) C256(256) C256(512) C256(768) 64, 65},
    .size = {0, SMALL_SIZES(SIZE)},
};

/* Nothing is low-fat until lowfat_start says otherwise. Its pages are its own: see reserve_all in arena.c. */
LOWFAT_API SPARSE_DATA uint64_t lowfat_sizes_[LOWFAT_ROWS] = {[0 ... LOWFAT_ROWS - 1] = UINT64_MAX};
LOWFAT_API SPARSE_BSS struct lowfat_map lowfat_map_;

static size_t row_of(uintptr_t address) { return lowfat_row_((const void *)address); }

void lowfat_map_set(uintptr_t address, uint64_t size, unsigned class_id, enum lowfat_kind kind, uint8_t *state) {
    size_t row = row_of(address);
    lowfat_sizes_[row] = size;
    lowfat_map_.magic[row] = MAGIC(size);
    lowfat_map_.state[row] = state;
    bool small = kind == LOWFAT_KIND_HEAP && class_id <= LOWFAT_SMALL_CLASSES;
    lowfat_map_.row[row] = (struct lowfat_row){lowfat_cell_number(small ? class_id : 0), (uint8_t)class_id, (uint8_t)kind};
}

void lowfat_map_clear(uintptr_t address) {
    size_t row = row_of(address);
    lowfat_sizes_[row] = UINT64_MAX;
    lowfat_map_.magic[row] = 0;
    lowfat_map_.state[row] = 0;
    lowfat_map_.row[row] = (struct lowfat_row){.kind = LOWFAT_KIND_NONE};
}

static unsigned log2_floor(uint64_t n) { return 63u - (unsigned)__builtin_clzll(n); }

/* Where a window is filled to and emptied to: about the middle, but far from its boundaries, where freeing takes the slow
 * path, so that a program that allocates and frees by turns stays clear of them. */
static void window_init(struct lowfat_class_central *cl, unsigned *end) {
    unsigned window = (unsigned)WINDOW(cl->size), room = (unsigned)UNITS(cl->size) * LOWFAT_WINDOW;
    *end += room;
    cl->window = (uint16_t)window;
    cl->window_end = (uint16_t)*end;
    cl->keep = (uint16_t)(window / 2);
    cl->batch = (uint16_t)(window >= 4 ? window / 2 : 1);
    if (room > LOWFAT_WINDOW && room - window <= LOWFAT_WINDOW / 4) {
        unsigned middle = room / LOWFAT_WINDOW / 2 * LOWFAT_WINDOW - (room - window);
        cl->keep = (uint16_t)(middle - LOWFAT_WINDOW / 2);
        cl->batch = (uint16_t)(middle + LOWFAT_WINDOW / 2);
    }
}

/* Spans hold about 64 KiB of small slots, more of larger ones so that taking a span stays rare. */
void lowfat_classes_init(void) {
    unsigned window_end = LOWFAT_WINDOW; /* the first entries are never used: the one below a window's first is 0 */
    for (unsigned c = 1; c <= LOWFAT_CLASSES; c++) {
        struct lowfat_class_central *cl = &lowfat_central[c];
        cl->size = lowfat_class_size(c);
        if (c > LOWFAT_SMALL_CLASSES) {
            cl->capacity = cl->threshold = 1;
            continue;
        }
        uint64_t span_bytes = cl->size <= 1024 ? 65536 : cl->size <= 8192 ? 131072 : 262144;
        unsigned shift = log2_floor(span_bytes / cl->size);
        cl->shift = (uint8_t)shift;
        cl->capacity = (uint16_t)(1u << shift);
        cl->threshold = (uint16_t)(cl->capacity >= 16 ? cl->capacity / 16 : 1);
        window_init(cl, &window_end);
        uint64_t away = LOWFAT_AWAY_BYTES / cl->size;
        cl->away = (uint16_t)(away > LOWFAT_AWAY_MAX ? LOWFAT_AWAY_MAX : away < 1 ? 1 : away);
        /* Threads that share a span of small slots wait for each other's cache lines. */
        cl->plenty = cl->size <= 64 ? 6 : cl->size <= 512 ? 3 : 2;
    }
}
