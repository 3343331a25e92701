// Figure 9 of Duck and Yap (2018): construct a vector of words by push_back, then sum it.
//
//   figure9-VARIANT MAX_ITEMS POINTS
//
// does both for POINTS lengths up to MAX_ITEMS and prints for each: items, processor seconds to
// construct, seconds to sum. While summing, the vector is read through memory the compiler must
// reload for each item, as in a program where the compiler cannot see that nobody changed
// it; otherwise it would compute base and length once and all variants were the same loop.
//
// The variants: low-fat vectors, their power-of-two form and the usual structure of three
// words, all on liblowfat; std::vector on liblowfat; and a one-pointer vector on the Boehm
// collector's GC_base and GC_size.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

[[noreturn]] void fail(const char *why) {
    std::fprintf(stderr, "%s\n", why);
    std::exit(1);
}

}  // namespace

#if defined VARIANT_LOWFAT || defined VARIANT_POW2
#include "../../examples/lowfat/vector.h"

struct Vector {
    vector v = vector_new();
    ~Vector() { vector_free(v); }
#if defined VARIANT_POW2
    void push_back(uint64_t x) {
        if (vector_push_pow2(&v, x) != 0) fail("out of memory");
    }
    uint64_t *data() { return vector_data_pow2(v); }
#else
    void push_back(uint64_t x) {
        if (vector_push(&v, x) != 0) fail("out of memory");
    }
    uint64_t *data() { return vector_data(v); }
#endif
    size_t size() { return static_cast<size_t>(v - data()); }
};

#elif defined VARIANT_FAT
#include <lowfat.h>

// The paper's structure: capacity, position, data.
struct Vector {
    size_t len = 4, pos = 0;
    uint64_t *items = static_cast<uint64_t *>(lowfat_malloc(4 * sizeof(uint64_t)));
    ~Vector() { lowfat_free(items); }
    void push_back(uint64_t x) {
        if (__builtin_expect(pos == len, 0)) grow();
        items[pos++] = x;
    }
    __attribute__((noinline)) void grow() {
        len *= 2;
        items = static_cast<uint64_t *>(lowfat_realloc(items, len * sizeof(uint64_t)));
        if (!items) fail("out of memory");
    }
    uint64_t *data() { return items; }
    size_t size() { return pos; }
};

#elif defined VARIANT_STD
#include <vector>
using Vector = std::vector<uint64_t>;

#elif defined VARIANT_BOEHM
#include <gc.h>

// As vector.h with the collector's functions. Its objects have a spare byte, so a slot may
// be a word longer than what was asked for; the vector uses it.
struct Vector {
    uint64_t *v = static_cast<uint64_t *>(GC_malloc_atomic(32));
    ~Vector() { GC_free(data()); }
    uint64_t *data() { return static_cast<uint64_t *>(GC_base(v)); }
    size_t size() { return static_cast<size_t>(v - data()); }
    void push_back(uint64_t x) {
        uint64_t *base = data();
        size_t bytes = GC_size(base);
        *v++ = x;
        if (__builtin_expect(static_cast<size_t>(reinterpret_cast<char *>(v) - reinterpret_cast<char *>(base)) + 8 > bytes, 0))
            grow(base, bytes);
    }
    __attribute__((noinline)) void grow(uint64_t *base, size_t bytes) {
        size_t items = static_cast<size_t>(v - base);  // not size(): v may be one past the end
        uint64_t *moved = static_cast<uint64_t *>(GC_realloc(base, 2 * bytes));
        if (!moved) fail("out of memory");
        v = moved + items;
    }
};

#else
#error "choose VARIANT_LOWFAT, VARIANT_POW2, VARIANT_FAT, VARIANT_STD or VARIANT_BOEHM"
#endif

namespace {

double now() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

void measure(uint64_t items) {
    double start = now();
    Vector v;
    for (uint64_t i = 0; i < items; i++) v.push_back(i);
    double constructed = now();
    uint64_t sum = 0;
    for (uint64_t i = 0; i < items; i++) {
        asm volatile("" : : "r"(&v) : "memory");
        sum += v.data()[i];
    }
    double summed = now();
    if (v.size() != items || sum != items * (items - 1) / 2) fail("wrong sum");
    std::printf("%llu %.6f %.6f\n", static_cast<unsigned long long>(items), constructed - start, summed - constructed);
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 3) fail("usage: figure9-VARIANT MAX_ITEMS POINTS");
    uint64_t max = std::strtoull(argv[1], nullptr, 10), points = std::strtoull(argv[2], nullptr, 10);
    if (points == 0 || max < points) fail("too few items");
#if defined VARIANT_BOEHM
    GC_INIT();
    GC_disable();
    GC_set_warn_proc(GC_ignore_warn_proc);  // "very large block": that is the point
#endif
    for (uint64_t point = 1; point <= points; point++) measure(max / points * point);
}
